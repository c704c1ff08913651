/** The version of this program, inserted by the build. */
declare const OVLD_VERSION: string;

export const VERSION: string = OVLD_VERSION;
