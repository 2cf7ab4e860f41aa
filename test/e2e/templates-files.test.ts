import test, { type ExecutionContext } from 'ava'
import type { ServerResponse } from 'node:http'
import { askToCreateTenant } from '../../src/gateway/admin-socket.ts'
import { padded, png } from '../files/make-media.ts'
import { startFileHost, type FileHost } from '../helpers/file-host.ts'
import { newPeer, send, sendRequests, untilInbox, untilStatus } from '../helpers/message-service.ts'
import { connectBody, seedOfficial } from '../helpers/official-service.ts'
import type { Service } from '../helpers/service.ts'
import { GUARDED, joinService } from '../helpers/shared-service.ts'
import {
  connectTemplates,
  givenTemplate,
  taken,
  templateRequests,
  templatesHere,
  templatesUpstream,
  untilSendable,
  type TemplateNumber,
} from '../helpers/template-service.ts'
import { card } from '../helpers/template-subject.ts'
import { until } from '../helpers/until.ts'

const MB = 1024 * 1024
const IMAGE_BYTES = 5 * MB
const PRIVATE = '127.0.0.1'
/** The only address of this machine that the service may reach. */
const REACHED = '127.0.0.2'
let service: Service
let picture: Buffer

test.before(async () => {
  ;[service, picture] = [await joinService(GUARDED), await png()]
})

/** Writes as long as the reader reads. */
function writeForEver(response: ServerResponse): void {
  const piece = Buffer.alloc(64 * 1024)
  const write = (): void => {
    while (!response.destroyed && response.write(piece));
  }
  response.on('drain', write)
  write()
}

/** A host that the service may reach, and one in the private network that it may not. */
async function hosts(t: ExecutionContext): Promise<{ open: FileHost; secret: FileHost }> {
  const secret = await startFileHost(t, (_, response) => void response.end(picture), PRIVATE)
  const open = await startFileHost(
    t,
    ({ url = '' }, response) => {
      switch (url.split('?')[0]) {
        case '/fits.png':
          return void response.end(padded(picture, IMAGE_BYTES))
        case '/over.png':
          return void response.end(padded(picture, IMAGE_BYTES + 1))
        case '/page.png':
          return void response.end('<html>no picture</html>')
        case '/away.png':
          return void response.writeHead(302, { location: `${secret.origin}/a.png` }).end()
        case '/huge.png': {
          response.writeHead(200, { 'content-length': 4 * 1024 * MB })
          response.write(picture)
          return writeForEver(response)
        }
        case '/endless.png': {
          response.write(picture)
          return writeForEver(response)
        }
        default:
          return void response.writeHead(404).end()
      }
    },
    REACHED,
  )
  return { open, secret }
}

interface FileFault {
  readonly path: string
  readonly header: string
  readonly card: string
}

/**
 * How a file is refused for a header ([templates.files.3] [templates.files.4]) and for a card ([templates.files.5]).
 */
const FAULTS: readonly FileFault[] = [
  { path: '/page.png', header: '422 MEDIA_UNSUPPORTED', card: '422 TEMPLATE_CARD_MEDIA_REFUSED NOT_AN_IMAGE' },
  { path: '/over.png', header: '422 MEDIA_TOO_LARGE', card: '422 TEMPLATE_CARD_MEDIA_REFUSED TOO_LARGE' },
  { path: '/huge.png', header: '422 MEDIA_TOO_LARGE', card: '422 TEMPLATE_CARD_MEDIA_REFUSED TOO_LARGE' },
  { path: '/endless.png', header: '422 MEDIA_TOO_LARGE', card: '422 TEMPLATE_CARD_MEDIA_REFUSED TOO_LARGE' },
  {
    path: '/away.png',
    header: '400 MEDIA_URL_FORBIDDEN',
    card: '400 TEMPLATE_CARD_MEDIA_URL_INVALID FORBIDDEN_ADDRESS',
  },
  { path: '/none.png', header: '422 MEDIA_DOWNLOAD_FAILED', card: '422 TEMPLATE_CARD_MEDIA_REFUSED UNREACHABLE' },
  { path: '/fits.png?a=b', header: '201 undefined', card: '400 TEMPLATE_CARD_MEDIA_URL_INVALID QUERY' },
]

function withHeader(name: string, header: object, over: object = {}): Record<string, any> {
  return givenTemplate(name, { body: { header, body: { text: 'Hello {{customer}}, look at this.' } }, ...over })
}

function withCards(name: string, urls: readonly string[]): Record<string, any> {
  const cards = urls.map((url) => card({ media: { url } }))
  return givenTemplate(name, {
    category: 'MARKETING',
    body: { body: { text: 'Hello {{customer}}, new this week.' }, carousel: { cards } },
  })
}

test('a file that is refused is told with its reason, that of a card with its card; nothing of it is stored, uploaded or submitted', async (t) => {
  const number = await connectTemplates(service)
  const { open, secret } = await hosts(t)
  for (const { path, header, card: ofCard } of FAULTS) {
    const url = open.origin + path
    const headed = await service.api('POST', '/v1/templates', number.key, withHeader('headed', { type: 'IMAGE', url }))
    t.is(`${headed.status} ${headed.body.code}`, header, path)
    if (header.includes('TOO_LARGE')) t.is(headed.body.details.max, IMAGE_BYTES)
    if (path === '/over.png') t.is(headed.body.details.measured, IMAGE_BYTES + 1)
    const carousel = await service.api(
      'POST',
      '/v1/templates',
      number.key,
      withCards('cards', [`${open.origin}/fits.png`, url]),
    )
    const { card: at, problem } = carousel.body.details
    t.deepEqual([`${carousel.status} ${carousel.body.code} ${problem}`, at], [ofCard, 2], path)
  }
  await until(
    'nothing is read any more',
    () => open.connections() === 0 || open.requests.every((request) => request.destroyed || request.complete),
  )
  t.is(secret.requests.length, 0)
  t.deepEqual(
    (await templatesHere(service, number)).map(({ name }) => name),
    ['headed'],
  )
  t.is((await templateRequests(service, 'template.create', number.accountId)).length, 1)
  t.is((await templateRequests(service, 'upload.start', number.appId)).length, 1)
})

/** Everything that the upstream was asked about the number, its account and its app. */
async function askedOf(number: TemplateNumber, templateIds: readonly string[]): Promise<string> {
  const paths = [number.accountId, number.phoneId, number.appId, ...templateIds]
  const asked = await Promise.all(
    paths.map(async (id) =>
      (await service.control('GET', `/requests?path=/official/v24.0/${id}`)).body.requests.map(
        ({ fields }: any) => fields,
      ),
    ),
  )
  return JSON.stringify(asked)
}

/** Asserts that both templates reach a peer with their files. */
async function sendBoth(t: ExecutionContext, number: TemplateNumber): Promise<void> {
  for (const templateId of ['headed', 'cards']) {
    await untilSendable(service, number, templateId)
    const peer = newPeer()
    const { id } = await send(service, number, {
      destinationNumber: peer,
      templateId,
      variables: { customer: 'Bo', 1: 'Bo' },
    })
    await untilStatus(service, number, id, ['READ'])
    const [item] = await untilInbox(service, peer, number, 1)
    t.is(item.media.length, templateId === 'headed' ? 1 : 2)
  }
  t.is((await sendRequests(service, number)).length, 2)
}

test('samples are uploaded and named by their handles, files of sends by their ids; no link of ours, of a caller or of upstream leaves with a template or a send', async (t) => {
  const number = await connectTemplates(service)
  const { open } = await hosts(t)
  const base64 = `data:image/png;base64,${picture.toString('base64')}`
  const urls = [`${open.origin}/fits.png`, `${open.origin}/fits.png`]
  for (const given of [withHeader('headed', { type: 'IMAGE', base64 }), withCards('cards', urls)])
    taken(await service.api('POST', '/v1/templates', number.key, given), 201)
  const handles = (await templateRequests(service, 'template.create', number.accountId)).map(({ fields }) =>
    [...JSON.stringify(fields).matchAll(/"header_handle":\["([^"]+)"\]/g)].map(([, handle]) => handle),
  )
  t.deepEqual(
    handles.map(({ length }) => length),
    [1, 2],
  )
  t.true(handles.flat().every((handle) => handle !== undefined && !/^https?:/.test(handle)))

  await sendBoth(t, number)
  // Another tenant with the same account imports the templates. Their samples are already at the upstream.
  const stranger = await askToCreateTenant(service.dataDir, 'Imports samples')
  const { accountId, appId, appSecret, accessToken } = number
  const seeded = await seedOfficial(service, { accountId, appId, appSecret, accessToken })
  const connected = taken(
    await service.api('POST', '/v1/numbers/official', stranger?.key ?? '', connectBody(seeded)),
    201,
  )
  const other = {
    ...number,
    id: connected.id,
    digits: seeded.number,
    key: connected.apiKey.key,
    phoneId: seeded.phoneId,
  }
  await sendBoth(t, other)
  const ids = (await templatesUpstream(service, number)).map(({ id }) => id)
  for (const asked of [await askedOf(number, ids), await askedOf(other, [])]) {
    t.false(/"link"/.test(asked))
    t.deepEqual(
      [...asked.matchAll(/https?:[^"\\]+/g)].map(([url]) => url).filter((url) => !url.includes('/webhooks/official/')),
      [],
    )
  }
})

for (const kind of ['OFFICIAL', 'UNOFFICIAL'] as const) {
  test(`${kind}: the address that a read shows for uploaded bytes can be sent back unchanged, and the service does not fetch it from itself`, async (t) => {
    // The service runs at an address that it may not reach, so a request to itself would be refused.
    const number = kind === 'OFFICIAL' ? await connectTemplates(service) : await service.pairNumber()
    const base64 = `data:image/png;base64,${picture.toString('base64')}`
    taken(await service.api('POST', '/v1/templates', number.key, withHeader('headed', { type: 'IMAGE', base64 })), 201)
    const read = await untilSendable(service, number, 'headed')
    t.true(read.body.header.url.startsWith('http'))
    t.is(read.body.header.base64, undefined)
    const put = taken(
      await service.api('PUT', '/v1/templates/headed', number.key, { body: read.body, examples: read.examples }),
      200,
    )
    t.deepEqual([put.id, put.body, put.examples], [read.id, read.body, read.examples])
    t.deepEqual(Buffer.from(await (await fetch(put.body.header.url)).arrayBuffer()), picture)
    const peer = newPeer()
    await untilSendable(service, number, 'headed')
    const { id } = await send(service, number, {
      destinationNumber: peer,
      templateId: 'headed',
      variables: { customer: 'Bo' },
    })
    await untilStatus(service, number, id, ['READ'])
    t.is((await untilInbox(service, peer, number, 1))[0].media[0].size, picture.byteLength)
  })
}
