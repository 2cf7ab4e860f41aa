import { USyncQuery, USyncUser } from 'baileys'
import { phoneIn } from '../translate-in/address.ts'
import type { LiveSession } from './live-session.ts'

/**
 * our choice: a message waits this many ms for its writer's phone number, and is then told with the LID. Later messages
 * have the number once it is known.
 */
const WAIT_MS = 3_000
/** our choice: a LID that was not resolved is asked for again after this many ms. */
const AGAIN_MS = 10 * 60_000
const MAX_ASKED = 5_000

const ASKED = new WeakMap<LiveSession, Map<string, number>>()

/** Asks the network for the phone number of a LID; null when it does not tell, or not in time. Never rejects. */
export async function lookUpLid(live: LiveSession, lid: string): Promise<string | null> {
  if (!live.isOpen || !mayAsk(live, lid, performance.now())) return null
  const asking = ask(live, lid).catch(() => null)
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), WAIT_MS)
    timer.unref()
  })
  try {
    return await Promise.race([asking, timeout])
  } finally {
    clearTimeout(timer)
  }
}

async function ask(live: LiveSession, lid: string): Promise<string | null> {
  const query = new USyncQuery()
    .withLIDProtocol()
    .withContext('background')
    .withUser(new USyncUser().withId(`${lid}@lid`))
  const answer = await live.sock.executeUSyncQuery(query)
  const jid = answer?.list.map(({ id }) => id).find((id) => phoneIn(id) !== null)
  if (jid === undefined) return null
  await live.lids.learn(`${lid}@lid`, jid)
  return phoneIn(jid)
}

function mayAsk(live: LiveSession, lid: string, now: number): boolean {
  const asked = ASKED.get(live) ?? new Map<string, number>()
  ASKED.set(live, asked)
  const last = asked.get(lid)
  if (last !== undefined && now - last < AGAIN_MS) return false
  if (asked.size >= MAX_ASKED) asked.clear()
  asked.set(lid, now)
  return true
}
