import type { SendableFlows } from '../../sandbox/official/templates/submission.ts'

/** Flows of an account that has each that is asked for, published. */
export const anyFlow: SendableFlows = { assertPublished: () => undefined, take: () => undefined }
