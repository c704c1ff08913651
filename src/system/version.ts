/** The version of this program; the build puts it in. */
declare const OVLD_VERSION: string;

export const VERSION: string = OVLD_VERSION;
