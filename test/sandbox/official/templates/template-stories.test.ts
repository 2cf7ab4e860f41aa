import test from 'ava'
import { FakeClock } from '../../../helpers/fake-clock.ts'
import { until } from '../../../helpers/until.ts'
import { startOfficial, type OfficialPlayground } from '../official-playground.ts'

const BODY = { type: 'BODY', text: 'Hello {{1}}, order {{2}} is on its way.', example: { body_text: [['Ana', '7']] } }
const WELCOME = { name: 'welcome', language: 'pt_BR', category: 'UTILITY', components: [BODY] }
const JPEG = Buffer.from('a picture')

async function open(clock: FakeClock = new FakeClock()): Promise<OfficialPlayground> {
  const official = await startOfficial({}, { clock })
  await official.subscribe()
  return official
}

function create({ graph, seeded }: OfficialPlayground, more: object = {}) {
  return graph('POST', `${seeded.accountId}/message_templates`, { ...WELCOME, ...more })
}

async function list({ graph, seeded }: OfficialPlayground, query: string = ''): Promise<any[]> {
  return (await graph('GET', `${seeded.accountId}/message_templates?${query}`)).body.data
}

/** The raw text of posts about a field, because their numbers are too large for JavaScript. */
function rawOf({ receiver }: OfficialPlayground, field: string): string[] {
  return receiver.posts.map(({ raw }) => raw.toString()).filter((text) => text.includes(field))
}

async function upload(
  { base, seeded, graph }: OfficialPlayground,
  bytes: Buffer,
  type: string,
  more: { length?: number; offset?: number | null; scheme?: string; sig?: string } = {},
) {
  const { length = bytes.length, offset = 0, scheme = 'OAuth', sig } = more
  const { body } = await graph(
    'POST',
    `${seeded.appId}/uploads?file_name=a.bin&file_length=${length}&file_type=${type}`,
  )
  const id = sig === undefined ? body.id : body.id.replace(/sig=.*/, `sig=${sig}`)
  const response = await fetch(`${base}/official/v24.0/${id}`, {
    method: 'POST',
    headers: {
      authorization: `${scheme} ${seeded.accessToken}`,
      ...(offset === null ? {} : { file_offset: String(offset) }),
    },
    body: new Uint8Array(bytes),
  })
  return { id, status: response.status, body: (await response.json()) as any }
}

// [sandbox.templates-and-flows.1] [sandbox.templates-and-flows.18]
test('a template is submitted, reviewed by itself, told of by an id beyond all numbers, and listed', async (t) => {
  const official = await open()
  const { status, body } = await create(official)
  t.is(status, 200)
  t.like(body, { status: 'PENDING', category: 'UTILITY' })
  t.regex(body.id, /^\d{18}$/)
  t.not(String(Number(body.id)), body.id)
  await create(official, { name: 'other_rejected' })
  t.deepEqual(
    (await list(official)).map(({ name, status: shown }) => [name, shown]),
    [
      ['other_rejected', 'PENDING'],
      ['welcome', 'PENDING'],
    ],
  )
  await official.advance(1_000)
  await until('both were told', () => official.receiver.changes('message_template_status_update').length === 2)
  t.true(
    rawOf(official, 'message_template_status_update').some((text) =>
      text.includes(`"message_template_id":${body.id},`),
    ),
  )
  t.like(official.receiver.changes('message_template_status_update')[0].value, {
    event: 'APPROVED',
    reason: 'NONE',
    message_template_name: 'welcome',
    message_template_language: 'pt_BR',
  })
  t.like(official.receiver.changes('message_template_status_update')[1].value, {
    event: 'REJECTED',
    reason: 'INVALID_FORMAT',
  })
  const [approved] = await list(official, 'name=WELC&fields=name,status,rejected_reason,quality_score,correct_category')
  t.deepEqual(approved, {
    id: body.id,
    name: 'welcome',
    status: 'APPROVED',
    rejected_reason: 'NONE',
    quality_score: { score: 'UNKNOWN' },
  })
  t.like((await official.graph('GET', body.id)).body, {
    id: body.id,
    components: [BODY],
    parameter_format: 'POSITIONAL',
    language: 'pt_BR',
  })
  t.is((await official.graph('GET', `${body.id}?fields=shoe_size`)).status, 400)
  t.deepEqual(
    (await list(official, 'status=REJECTED')).map(({ name }) => name),
    ['other_rejected'],
  )
  t.deepEqual(await list(official, 'language=en_US'), [])
  t.like((await official.graph('GET', '123456789012345678')).body.error, { code: 100, error_subcode: 33 })
  await official.close()
})

test('refusals have the whole form of upstream: subcode, what people are shown, whether to try again', async (t) => {
  const official = await open()
  const { status, body } = await create(official, { components: [{ ...BODY, text: '{{1}} is yours' }] })
  t.is(status, 400)
  t.like(body.error, {
    message: 'Invalid parameter',
    type: 'OAuthException',
    code: 100,
    error_subcode: 2388299,
    is_transient: false,
  })
  for (const field of ['error_user_title', 'error_user_msg', 'fbtrace_id']) t.truthy(body.error[field], field)
  await create(official)
  t.is((await create(official)).body.error.error_subcode, 2388024)
  t.is((await create(official, { language: 'en_US' })).status, 200)
  await official.close()
})

// [sandbox.templates-and-flows.1]
test('a deletion by id leaves other languages, one by name takes them all, and an approved name stays blocked for 30 days', async (t) => {
  const official = await open()
  const remove = async (query: string) =>
    await official.graph('DELETE', `${official.seeded.accountId}/message_templates?${query}`)
  const {
    body: { id },
  } = await create(official)
  await create(official, { language: 'en_US' })
  await create(official, { language: 'es' })
  await official.advance(1_000)
  t.deepEqual((await remove(`hsm_id=${id}&name=welcome`)).body, { success: true })
  t.deepEqual(
    (await list(official)).map(({ language }) => language),
    ['es', 'en_US'],
  )
  t.like((await remove(`hsm_id=${id}&name=welcome`)).body.error, { code: 100, error_subcode: 2593002 })
  t.is((await create(official)).body.error.error_subcode, 2388023)
  t.deepEqual((await remove('name=welcome')).body, { success: true })
  t.deepEqual(await list(official), [])
  await official.advance(30 * 86_400_000)
  t.is((await create(official)).status, 200)
  await official.close()
})

// [sandbox.templates-and-flows.1]
test('pages are walked by cursors, which hold while templates come and go', async (t) => {
  const official = await open()
  const { graph, control, seeded } = official
  t.deepEqual((await control('POST', '/official/templates/seed', { count: 250, account: seeded.accountId })).body, {
    seeded: 250,
    total: 250,
  })
  const names: string[] = []
  let next: string | undefined =
    `${official.base}/official/v24.0/${seeded.accountId}/message_templates?limit=100&fields=name`
  for (let pages = 0; next !== undefined; pages++) {
    const page = (await (
      await fetch(next, { headers: { authorization: `Bearer ${seeded.accessToken}` } })
    ).json()) as any
    names.push(...page.data.map(({ name }: any) => name))
    next = page.paging.next
    if (pages === 0) {
      await graph('DELETE', `${seeded.accountId}/message_templates?name=seeded_000200`)
      await create(official)
      t.is(page.paging.previous, undefined)
    }
  }
  t.is(new Set(names).size, 250)
  t.is(names[0], 'seeded_000250')
  t.is((await graph('GET', `${seeded.accountId}/message_templates?limit=0`)).status, 400)
  t.is((await graph('GET', `${seeded.accountId}/message_templates?after=nonsense`)).status, 400)
  await official.close()
})

// [sandbox.templates-and-flows.1] [sandbox.templates-and-flows.4]
test('a file is uploaded in a session of its own, and its handle shows as an address that is good for a day', async (t) => {
  const official = await open()
  const { graph, seeded, base } = official
  const {
    id,
    status,
    body: { h },
  } = await upload(official, JPEG, 'image/jpeg')
  t.is(status, 200)
  t.regex(id, /^upload:[\w=+-]+\?sig=[\w-]+$/)
  t.regex(h, /^4::/)
  const header = (handle: string) => ({ type: 'HEADER', format: 'IMAGE', example: { header_handle: [handle] } })
  for (const wrong of ['https://files.dev/a.jpg', '4::nothing']) {
    t.like((await create(official, { components: [header(wrong), BODY] })).body.error, {
      code: 100,
      error_subcode: 2388273,
    })
  }
  const created = await create(official, { components: [header(h), BODY] })
  t.is(created.status, 200)
  const {
    body: {
      components: [shown],
    },
  } = await graph('GET', created.body.id)
  const url = shown.example.header_handle[0]
  t.true(url.startsWith(base))
  t.deepEqual(Buffer.from(await (await fetch(url)).arrayBuffer()), JPEG)
  t.is((await fetch(`${url}x`)).status, 403)
  const other = (await official.control('POST', '/official/numbers', { number: '551140000009' })).body
  const foreign = await graph(
    'POST',
    `${other.accountId}/message_templates`,
    { ...WELCOME, components: [header(h), BODY] },
    other.accessToken,
  )
  t.is(foreign.body.error.error_subcode, 2388273)
  const pdf = await upload(official, JPEG, 'application/pdf')
  t.is((await create(official, { name: 'pdf', components: [header(pdf.body.h), BODY] })).body.error.code, 131003)
  t.is((await graph('POST', `${other.appId}/uploads?file_length=3&file_type=image/png`)).body.error.error_subcode, 33)
  t.is((await graph('POST', `${seeded.appId}/uploads?file_length=3&file_type=image/webp`)).body.error.code, 100)
  await official.advance(86_400_000)
  t.is((await fetch(url)).status, 403)
  await official.close()
})

test('an upload with another scheme, signature, offset or length is refused, and can be gone on with', async (t) => {
  const official = await open()
  const { base, seeded, graph } = official
  t.is((await upload(official, JPEG, 'image/png', { scheme: 'Bearer' })).body.debug_info.type, 'NotAuthorizedError')
  t.is((await upload(official, JPEG, 'image/png', { sig: 'forged' })).body.error.error_subcode, 33)
  for (const offset of [null, 3])
    t.is((await upload(official, JPEG, 'image/png', { offset })).body.debug_info.type, 'OffsetInvalidError')
  t.is(
    (await upload(official, JPEG, 'image/png', { length: JPEG.length - 1 })).body.debug_info.type,
    'LengthInvalidError',
  )
  const { id, body } = await upload(official, JPEG, 'image/png', { length: JPEG.length + 3 })
  t.like(body.debug_info, { type: 'PartialRequestError', retriable: true })
  t.deepEqual((await graph('GET', id)).body, { id: id.split('?')[0], file_offset: JPEG.length })
  const rest = await fetch(`${base}/official/v24.0/${id}`, {
    method: 'POST',
    headers: { authorization: `OAuth ${seeded.accessToken}`, file_offset: String(JPEG.length) },
    body: 'end',
  })
  t.regex(((await rest.json()) as any).h, /^4::/)
  t.false(JSON.stringify((await official.get('/control/requests')).requests).includes(id.split('sig=')[1]))
  await official.close()
})

test('faults know the operations on templates by name: answers are lost behind what was done, or held until it was told', async (t) => {
  const clock = new FakeClock()
  const official = await open(clock)
  const { control, receiver, get } = official
  await control('POST', '/faults', { match: { op: 'template.create' }, times: 3, drop: 'after' })
  for (const name of ['a', 'b', 'c']) await t.throwsAsync(create(official, { name }))
  t.is((await create(official, { name: 'a' })).body.error.error_subcode, 2388024)
  t.is((await list(official)).length, 3)
  await control('POST', '/faults', { match: { op: 'template.list' }, error: '80007' })
  t.is((await official.graph('GET', `${official.seeded.accountId}/message_templates`)).body.error.code, 80007)
  await control('POST', '/official/review', { delayMs: 500 })
  await control('POST', '/faults', { match: { op: 'template.create' }, answerDelayMs: 2_000 })
  let isAnswered = false
  const held = create(official, { name: 'held' }).finally(() => {
    isAnswered = true
  })
  await until('it is there', async () => (await list(official)).some(({ name }) => name === 'held'))
  await official.advance(500)
  await until('it was told', () =>
    receiver.changes('message_template_status_update').some(({ value }) => value.message_template_name === 'held'),
  )
  t.false(isAnswered)
  t.is((await get('/control/requests?op=template.create')).total, 5)
  clock.advance(2_000)
  t.is((await held).status, 200)
  await official.close()
})
