import { proto, type WAMessage, type WASocket } from 'baileys'
import { errorFields } from '../process/log.ts'
import { Turns } from '../process/turns.ts'
import type { EngineEvent } from '../protocol/engine-event.ts'
import { buildMessage, type OwnAddresses } from '../socket/build-message.ts'
import type { Stanza } from '../socket/journalling-repository.ts'
import type { JournalledMessage } from '../store/journal.ts'
import type { LiveSession } from './live-session.ts'
import { tellMessage } from './tell-message.ts'

/** Stores the events of a message, and notes in the same commit that the message was told. */
type Tell = (events: readonly EngineEvent[], messageKey: string | null) => Promise<void>

/**
 * Messages that the phone sends to its own devices, for the library. They give a gateway no event themselves, but what
 * the library makes of them may.
 */
const { Type } = proto.Message.ProtocolMessage
const FOR_THE_DEVICE: ReadonlySet<unknown> = new Set([
  Type.HISTORY_SYNC_NOTIFICATION,
  Type.APP_STATE_SYNC_KEY_SHARE,
  Type.LID_MIGRATION_MAPPING_SYNC,
  Type.PEER_DATA_OPERATION_REQUEST_RESPONSE_MESSAGE,
])

/** A journalled message that the library has to read again once it is connected. */
interface Unread {
  readonly message: WAMessage
  readonly messageKey: string
}

/** Tells what arrives for one number, one message after another in the order of decryption. */
export class Arrivals {
  readonly #live: LiveSession
  readonly #tell: Tell
  readonly #told: () => Promise<void>
  readonly #turns = new Turns()
  /** Messages whose telling is on its way to the disk. */
  readonly #telling = new Set<string>()
  #toLibrary: Unread[] = []

  /** `told` resolves once all arrivals that are being told are on the disk. */
  constructor(live: LiveSession, tell: Tell, told: () => Promise<void>) {
    this.#live = live
    this.#tell = tell
    this.#told = told
  }

  /** Runs tasks one after another; a failure goes to the caller. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    return this.#turns.run(work)
  }

  /**
   * Tells a message once. A message that cannot be told now stays in the journal and is tried again with the next
   * socket. `read` resolves once the library is done with it. A message to the device leaves the journal only then, and
   * once what the library made of it (such as a history) is on the disk, because the network already counts it as
   * delivered.
   */
  arrived(message: WAMessage, stanza: Stanza | null, read: () => Promise<void>): void {
    const telling =
      stanza !== null && isForTheDevice(message)
        ? read().then(() => this.#settle(stanza.messageKey))
        : this.inTurn(() => this.#tellOnce(message, stanza))
    telling.catch((error: unknown) =>
      this.#live.log.error(errorFields(error), 'a received message could not be handed to the gateway'),
    )
  }

  /**
   * Tells messages that an earlier life of the engine or the socket decrypted and did not tell. They are read before
   * the socket opens, so that no new message comes between them.
   */
  replay(untold: readonly JournalledMessage[], own: OwnAddresses): void {
    this.#toLibrary = []
    for (const journalled of untold) {
      try {
        const message = buildMessage(journalled, own)
        if (!message) continue
        const { messageKey } = journalled
        if (isForTheDevice(message)) this.#toLibrary.push({ message, messageKey })
        else this.arrived(message, { messageKey, isNew: false }, () => Promise.resolve())
      } catch (error) {
        this.#live.log.error(errorFields(error), 'a message in the journal cannot be read and is skipped')
      }
    }
  }

  /**
   * Hands the library the messages that it would have read itself had the engine not ended: keys of the phone,
   * histories. A message that it cannot read is given up, as the library does.
   */
  async replayProtocol(sock: Pick<WASocket, 'upsertMessage'>): Promise<void> {
    for (const { message, messageKey } of this.#toLibrary.splice(0)) {
      if (await this.#live.store.journal.isTold(messageKey)) continue
      await sock
        .upsertMessage(message, 'append')
        .catch((error: unknown) => this.#live.log.error(errorFields(error), 'a message of the phone could not be read'))
      await this.#settle(messageKey)
    }
  }

  async #tellOnce(message: WAMessage, stanza: Stanza | null): Promise<void> {
    if (stanza !== null && (await this.#isTold(stanza))) return
    const messageKey = stanza?.messageKey ?? null
    const events = await tellMessage(this.#live, { message, historical: false })
    if (events.length === 0 && messageKey === null) return
    // The turn does not wait for this: commits keep the order, and the next message need not wait for the disk.
    if (messageKey !== null) this.#telling.add(messageKey)
    this.#tell(events, messageKey)
      .catch((error: unknown) =>
        this.#live.log.error(errorFields(error), 'the events of a received message could not be stored'),
      )
      .finally(() => this.#telling.delete(messageKey ?? ''))
  }

  /** A telling that is on its way counts, because the same message may come again meanwhile. */
  async #isTold({ messageKey, isNew }: Stanza): Promise<boolean> {
    return this.#telling.has(messageKey) || (!isNew && (await this.#live.store.journal.isTold(messageKey)))
  }

  async #settle(messageKey: string): Promise<void> {
    await this.#told()
    await this.#tell([], messageKey)
  }
}

function isForTheDevice({ key, message }: WAMessage): boolean {
  return key.fromMe === true && FOR_THE_DEVICE.has(message?.protocolMessage?.type)
}
