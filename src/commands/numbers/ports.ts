import type { Outcome } from '../../domain/errors.ts'
import type { NumberId } from '../../domain/ids.ts'
import type { Pace } from '../../domain/kinds/kind.ts'
import type { ChannelNumber, NumberSettings, PiiMode } from '../../domain/number.ts'
import type { Log } from '../../ports/log.ts'
import type { OfficialOf } from '../../ports/official/number.ts'
import type { FlowKeyStore } from '../../ports/stores/flow-key-store.ts'
import type { OfficialStore } from '../../ports/stores/official-store.ts'
import type { ReachStore } from '../../ports/stores/reach-store.ts'
import type { OfficialCommands } from '../official/official.ts'
import type { PairingPorts } from '../pairing/ports.ts'

/** The ports of numbers; each command takes all of them. */
export interface NumberPorts extends Pick<PairingPorts, 'numbers' | 'askPair'> {
  readonly official: OfficialStore
  /** Read for the key that the phones of an account's Flows encrypt for. */
  readonly flowKeys: FlowKeyStore
  readonly officialOf: OfficialOf
  readonly officialCommands: OfficialCommands
  /** Holds who was reached. */
  readonly reach: Pick<ReachStore, 'counted'>
  /** The pace of all messages of a number together. */
  readonly paceOf: (number: ChannelNumber) => Pace
  /**
   * Checks the address of a bot server before it is stored; answers it as it is dialled. Refusals: VALIDATION,
   * MEDIA_URL_FORBIDDEN.
   */
  readonly checkDialled: (address: string) => Promise<Outcome<string>>
  /** Makes the number's session apply them now. */
  readonly askApplySettings: (
    numberId: NumberId,
    fields: { readonly settings: NumberSettings; readonly piiMode: PiiMode },
  ) => Promise<Outcome<null>>
  /** Tells every node that the way of the number's MARKETING templates was chosen. */
  readonly marketingChosen: (numberId: NumberId) => Promise<void>
  /** Ends the number's session and wipes its pairing credentials. */
  readonly askLogout: (numberId: NumberId) => Promise<Outcome<null>>
  /** Ends the number's calls and session for good. */
  readonly askRemove: (numberId: NumberId) => Promise<Outcome<null>>
  /** Makes every node forget the callers that the number's keys authenticated. */
  readonly revokeCallers: (numberId: NumberId) => Promise<void>
  /** Starts the number, so that it hears at once what upstream tells of it. */
  readonly receive: (numberId: NumberId) => Promise<void>
  /** Each wakes the listing of a new account's templates or Flows. */
  readonly templatesWanted: () => void
  readonly flowsWanted: () => void
  /** Public base address of the REST API, which upstream delivers to, without a trailing slash. */
  readonly baseUrl: string
  readonly log: Log
}
