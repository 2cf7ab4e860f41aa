import { fail, refuse } from '../../src/domain/errors.ts'
import type { RestDeps } from '../../src/http/server.ts'

const NONE = fail(refuse('CONVERSATION_NOT_FOUND', 'None'))

/** A world without conversations that somebody could handle. */
export const NO_HANDLING: Pick<RestDeps, 'handling'> = {
  handling: {
    assignment: async () => NONE,
    assign: async () => NONE,
    assigned: async () => [],
    notes: async () => NONE,
    addNote: async () => NONE,
    removeNote: async () => fail(refuse('NOTE_NOT_FOUND', 'None')),
  },
}
