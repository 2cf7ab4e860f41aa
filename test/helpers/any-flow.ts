import type { SendableFlows } from '../../sandbox/official/templates/submission.ts'

/** Flows of an account in which every Flow exists and is published. */
export const anyFlow: SendableFlows = { assertPublished: () => undefined, take: () => undefined }
