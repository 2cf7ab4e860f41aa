import type { MediaFault } from './protocol/converting.ts'

/** A file that cannot be used, for a reason worth telling. */
export class Unfit extends Error {
  readonly fault: MediaFault

  constructor(fault: MediaFault) {
    super(fault)
    this.fault = fault
  }
}
