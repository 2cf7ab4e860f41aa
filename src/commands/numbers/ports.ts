import type { Outcome } from '../../domain/errors.ts'
import type { NumberId } from '../../domain/ids.ts'
import type { NumberSettings, PiiMode } from '../../domain/number.ts'
import type { Log } from '../../ports/log.ts'
import type { OfficialOf } from '../../ports/official/number.ts'
import type { FlowKeyStore } from '../../ports/stores/flow-key-store.ts'
import type { OfficialStore } from '../../ports/stores/official-store.ts'
import type { OfficialCommands } from '../official/official.ts'
import type { PairingPorts } from '../pairing/ports.ts'

/** All that numbers stand on: each verb takes it whole. */
export interface NumberPorts extends Pick<PairingPorts, 'numbers' | 'askPair'> {
  readonly official: OfficialStore
  /** For the key that the phones of an account's Flows encrypt with. */
  readonly flowKeys: FlowKeyStore
  readonly officialOf: OfficialOf
  readonly officialCommands: OfficialCommands
  /** Has the session of the number apply them now. */
  readonly askApplySettings: (
    numberId: NumberId,
    fields: { readonly settings: NumberSettings; readonly piiMode: PiiMode },
  ) => Promise<Outcome<null>>
  /** Ends the session and wipes the pairing credentials. */
  readonly askLogout: (numberId: NumberId) => Promise<Outcome<null>>
  /** Ends calls and session for good. */
  readonly askRemove: (numberId: NumberId) => Promise<Outcome<null>>
  /** Forgets on every node whom the keys of the number proved to be. */
  readonly revokeCallers: (numberId: NumberId) => Promise<void>
  /** Starts the number, so that it hears at once what upstream says of it. */
  readonly receive: (numberId: NumberId) => Promise<void>
  /** The templates and Flows of a new account are wanted: they come by themselves. */
  readonly templatesWanted: () => void
  readonly flowsWanted: () => void
  /** Public base of REST, where upstream delivers, without a trailing slash. */
  readonly baseUrl: string
  readonly log: Log
}
