import { errorFields } from '../process/log.ts'
import { Newest } from '../process/newest.ts'
import type { LiveSession } from '../session/live-session.ts'
import type { Listen } from '../socket/immediate-events.ts'
import { lidIn, phoneIn } from '../translate-in/address.ts'

/** our choice: pairs that a socket remembers as told. One that is told again changes nothing at the gateway. */
const MAX_REMEMBERED = 2_000

/** Reports whose LID one is, when the network tells it without a message ([engines.peers.1]). */
export function hearPeers(live: LiveSession, listen: Listen): void {
  const told = new Newest<string, string>(MAX_REMEMBERED)
  listen('lid-mapping.update', ({ lid, pn }) => {
    const [hidden, phone] = [lidIn(lid) ?? lidIn(pn), phoneIn(pn) ?? phoneIn(lid)]
    if (hidden === null || phone === null || told.get(hidden) === phone) return
    told.set(hidden, phone)
    live.holds(
      live
        .inTurn(async () => ({ kept: live.emit({ ev: 'session.peer', phone, lid: `${hidden}@lid` }) }))
        .then(({ kept }) => kept)
        .catch((error: unknown) =>
          live.log.error(errorFields(error), 'whose id one is could not be handed to the gateway'),
        ),
    )
  })
}
