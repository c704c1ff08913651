// Loaded into every Node process of a "machine": its clock is so many milliseconds ahead of the real one.
const shift = Number(process.env.CLOCK_AHEAD_MS ?? 0);
const RealDate = Date;
globalThis.Date = class Date extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(RealDate.now() + shift);
    else super(...args);
  }
  static now() {
    return RealDate.now() + shift;
  }
};
