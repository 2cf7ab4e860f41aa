import type { MediaFault } from './protocol/converting.ts'

/** The error for a file that cannot be used, with the reason to report. */
export class Unfit extends Error {
  readonly fault: MediaFault

  constructor(fault: MediaFault) {
    super(fault)
    this.fault = fault
  }
}
