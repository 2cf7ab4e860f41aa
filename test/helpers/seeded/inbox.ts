import type { DashboardStage } from '../dashboard-stage.ts'
import { bearer, mint } from '../embeds.ts'
import type { Script } from '../people-scenes.ts'
import { fullInbox, scriptInbox } from '../scripted-inbox.ts'
import type { InboxScript } from '../scripted-inbox.ts'
import { NOW } from './numbers.ts'

/** A time before the one at which the seeded account is shown. */
function before(minutes: number): string {
  return new Date(Date.parse(NOW) - minutes * 60_000).toISOString()
}

/** The token lives on at that time. */
const LIVES = { expiresAt: before(-60), maxExpiresAt: before(-600) }

/** The full inbox of the other tests at fixed times, with a person whose language is written from the right. */
function seededInbox(session: object): InboxScript {
  const inbox = fullInbox(session)
  const left = inbox.messages.length
  return {
    ...inbox,
    conversations: inbox.conversations.map((one, at) => ({
      ...one,
      fromName: at === 3 ? 'דוד לוי' : one.fromName,
      lastMessagePreview: at === 3 ? 'תודה רבה!' : one.lastMessagePreview,
      lastMessageAt: before(at * 50 + 1),
      windowExpiresAt: one.windowExpiresAt === null ? null : before(-80),
      createdAt: before(9_000),
    })),
    messages: inbox.messages.map((one, at) => ({
      ...one,
      createdAt: before((left - at) * 10),
      editedAt: one.editedAt === null ? null : before(5),
      revokedAt: one.revokedAt === null ? null : before(5),
    })),
  }
}

const ASKED = '**/api/public/embed/**'
/** A stream on which nothing happens: an answer of the real one would tell the real time. */
const SILENT_STREAM = `{
  const real = fetch
  globalThis.fetch = (url, options) =>
    String(url.url ?? url).includes('/api/public/embed/stream')
      ? Promise.resolve(new Response(new ReadableStream(), { headers: { 'content-type': 'text/event-stream' } }))
      : real(url, options)
}`

/** Mints a session in the world behind the stage, whose inbox answers as seeded; gives what the dashboard is told. */
export async function mintSeeded(stage: DashboardStage): Promise<Script> {
  const { client, world } = stage
  const minted = await mint(client, world, { allowedOrigins: [stage.origin], startConversation: true })
  const { body } = await client.send('GET', '/api/public/embed/session', bearer(minted.token, stage.origin))
  const context = stage.page.context()
  await context.unroute(ASKED)
  await scriptInbox(context, seededInbox({ ...(body as object), ...LIVES }))
  await stage.page.addInitScript(SILENT_STREAM)
  return { 'POST /api/v1/embed/sessions': { status: 201, body: minted } }
}
