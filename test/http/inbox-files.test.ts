import test from 'ava'
import { INBOX_PATH } from '../../src/http/routes/inbox/facts.ts'
import { openTestDatabase, sharedDatabase } from '../helpers/database.ts'
import { bearer } from '../helpers/embeds.ts'
import { talking } from './talking-inbox.ts'

const database = sharedDatabase(test, openTestDatabase)

// [embeds.inbox-routes.7]
test('a file is sent with what stands beside it, once for one Idempotency-Key and the same bytes', async (t) => {
  const { app, token, id } = await talking(t, database())
  const send = async (
    bytes: string,
    fields: Record<string, string> = { mediaType: 'document', caption: 'the bill' },
  ) => {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.set(name, value)
    form.set('file', new Blob([bytes]), 'bill.txt')
    const response = await fetch(`${app.client.url}/api/public/embed/conversations/${id}/messages`, {
      method: 'POST',
      body: form,
      headers: { ...bearer(token).headers, 'idempotency-key': 'f1' },
    })
    return { status: response.status, body: (await response.json()) as any }
  }
  const first = await send('a bill')
  t.is(first.status, 202)
  t.deepEqual((await send('a bill')).body, first.body)
  t.is((await send('another')).body.code, 'IDEMPOTENCY_KEY_REUSED')
  const { body } = await app.ask(token, 'GET', `/conversations/${id}/messages?limit=1`)
  t.like(body.messages[0], {
    id: first.body.id,
    type: 'document',
    content: 'the bill',
    media: { fileName: 'bill.txt', isVoice: false },
  })
  t.is(app.world.files.kept.size, 1)
})

test('a file without a kind, or with what its kind cannot have, is refused', async (t) => {
  const { app, token, id } = await talking(t, database())
  for (const fields of [{}, { mediaType: 'tape' }, { mediaType: 'voice', caption: 'no' }]) {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.set(name, value)
    form.set('file', new Blob(['x']), 'x')
    const response = await fetch(`${app.client.url}/api/public/embed/conversations/${id}/messages`, {
      method: 'POST',
      body: form,
      headers: bearer(token).headers,
    })
    t.is(response.status, 400, JSON.stringify(fields))
  }
})

test('fields that would need a second message are refused next to a file, and the file is not kept', async (t) => {
  const { app, token, message, id } = await talking(t, database())
  for (const [name, value] of [
    ['text', 'also this'],
    ['templateId', 'welcome'],
    ['language', 'en'],
    ['location', '{"latitude":1,"longitude":1}'],
  ] as const) {
    const form = new FormData()
    for (const [field, text] of [
      ['mediaType', 'document'],
      [name, value],
    ] as const)
      form.set(field, text)
    form.set('file', new Blob(['x']), 'x.txt')
    const response = await fetch(`${app.client.url}${INBOX_PATH}/conversations/${id}/messages`, {
      method: 'POST',
      body: form,
      headers: bearer(token).headers,
    })
    const body = (await response.json()) as any
    t.deepEqual([response.status, body.details[0].path], [400, name])
  }
  t.is(app.world.files.kept.size, 0)
  t.deepEqual(
    (await app.ask(token, 'GET', `/conversations/${id}/messages`)).body.messages.map((one: { id: string }) => one.id),
    [message.id],
  )
})
