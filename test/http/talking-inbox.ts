import type { ExecutionContext } from 'ava'
import type { Database } from '../../src/storage/engine/database.ts'
import { openInboxApp, receivedBy } from './inbox-app.ts'

/** An application with one conversation, and a token for its inbox. */
export async function talking(t: ExecutionContext, database: Database) {
  const app = await openInboxApp(t, database)
  const message = await receivedBy(app, app.one)
  const token = await app.token()
  const { body } = await app.ask(token, 'GET', '/conversations')
  return { app, token, message, id: String(body.conversations[0].id) }
}
