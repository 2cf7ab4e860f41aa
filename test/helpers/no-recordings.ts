import { fail, refuse } from '../../src/domain/errors.ts'
import type { RestDeps } from '../../src/http/server.ts'

const NONE = fail(refuse('RECORDING_NOT_FOUND', 'None'))

/** A world in which no call was recorded. */
export const NO_RECORDINGS: Pick<RestDeps, 'recordingCommands'> = {
  recordingCommands: {
    read: async () => NONE,
    locate: async () => NONE,
    remove: async () => NONE,
    collect: async () => false,
    sweep: async () => {},
  },
}
