import { generateKeyPairSync } from 'node:crypto'
import type { FlowsPort, UpstreamFlow } from '../../../src/ports/official/flows.ts'
import { until } from '../../helpers/until.ts'
import { doneBy, noOf, valueOf } from './world.ts'
import type { OfficialWorld, Story } from './world.ts'

/** The smallest valid document: one screen, one button. */
function documentOf(text: string = 'Thank you'): string {
  const footer = { type: 'Footer', label: 'Send', 'on-click-action': { name: 'complete', payload: {} } }
  return JSON.stringify(
    {
      version: '7.1',
      screens: [
        {
          id: 'ONLY',
          title: 'Survey',
          terminal: true,
          layout: { type: 'SingleColumnLayout', children: [{ type: 'TextBody', text }, footer] },
        },
      ],
    },
    null,
    2,
  )
}

/** Opens an account without Flows, with its events. */
async function opened(world: OfficialWorld) {
  const number = await world.freshNumber()
  const { url, verifyToken, changes } = await world.callback(number)
  const { flows, encryption, subscription } = world.officialOf(number.credentials)
  valueOf(await subscription.subscribe(url, verifyToken))
  const told = () =>
    changes
      .filter(({ field }) => field === 'flows')
      .map(({ value, at }) => ({
        ...(JSON.parse(value) as { event: string; flow_id: string; old_status?: string; new_status: string }),
        isTimed: at !== null,
      }))
  return { number, flows, encryption, told }
}

async function draft(flows: FlowsPort, name: string, flowJson: string | null = documentOf()): Promise<string> {
  const { externalId } = doneBy(await flows.create({ name, categories: ['SURVEY'], cloneOf: null }))
  if (flowJson !== null) doneBy(await flows.upload(externalId, flowJson))
  return externalId
}

async function namesOf(flows: FlowsPort): Promise<string[]> {
  const names: string[] = []
  for (let after: string | null = null, isLast = false; !isLast;) {
    const page: { readonly flows: readonly UpstreamFlow[]; readonly next: string | null } = valueOf(
      await flows.page(after),
    )
    names.push(...page.flows.map(({ name }) => name))
    after = page.next
    isLast = after === null
  }
  return names
}

/** Behaviour of an account's Flows. */
export function testFlows(story: Story): void {
  // [sandbox.templates-and-flows.3]
  story(
    'a Flow is drafted, given a document, published and deprecated, and each status is told of with its time',
    async (t, world) => {
      const { flows, told } = await opened(world)
      const externalId = await draft(flows, 'Survey', null)
      t.regex(externalId, /^\d+$/)
      const bare = {
        externalId,
        name: 'Survey',
        status: 'DRAFT',
        categories: ['SURVEY'],
        jsonVersion: null,
        validationErrors: [],
        health: 'AVAILABLE',
      }
      t.like(valueOf(await flows.read(externalId)), bare)
      t.is(valueOf(await flows.document(externalId)), null)
      t.deepEqual(doneBy(await flows.upload(externalId, documentOf())), { validationErrors: [] })
      const drafted = valueOf(await flows.read(externalId))
      t.like(drafted, { ...bare, jsonVersion: '7.1' })
      t.truthy(drafted?.previewUrl)
      t.is(
        valueOf(await flows.read(externalId))?.previewUrl,
        drafted?.previewUrl,
        'reading leaves the preview as it is',
      )
      doneBy(await flows.publish(externalId))
      t.like(valueOf(await flows.read(externalId)), { status: 'PUBLISHED' })
      doneBy(await flows.deprecate(externalId))
      t.like(valueOf(await flows.read(externalId)), { status: 'DEPRECATED' })
      await until('all three are told', () => told().length === 3)
      t.deepEqual(
        told().map(({ event, flow_id: id, old_status: before, new_status: status, isTimed }) => [
          event,
          id,
          before,
          status,
          isTimed,
        ]),
        [
          ['FLOW_STATUS_CHANGE', externalId, undefined, 'DRAFT', true],
          ['FLOW_STATUS_CHANGE', externalId, 'DRAFT', 'PUBLISHED', true],
          ['FLOW_STATUS_CHANGE', externalId, 'PUBLISHED', 'DEPRECATED', true],
        ],
      )
    },
  )

  story('a document arrives and is read back byte for byte', async (t, world) => {
    const { flows } = await opened(world)
    const externalId = await draft(flows, 'Bytes')
    const documents = [
      documentOf('😀 \u00e9 \u2028'),
      `\uFEFF${documentOf()}`,
      documentOf().replaceAll('\n', '\r\n'),
      `${documentOf().replaceAll('/', '\\/')}  \r\n\t`,
      '{ not JSON',
      ' ',
      '{"a":"--boundary\\r\\n--"}\r\n--x--\r\n',
    ]
    for (const flowJson of documents) {
      doneBy(await flows.upload(externalId, flowJson))
      t.is(valueOf(await flows.document(externalId)), flowJson)
    }
  })

  // [flows.document.4] [flows.document.5]
  story(
    'faults of a document are returned by its successful upload, are shown, and prevent publishing',
    async (t, world) => {
      const { flows } = await opened(world)
      const externalId = await draft(flows, 'Faulty')
      const { validationErrors } = doneBy(
        await flows.upload(externalId, documentOf().replace('"TextBody"', '"TextBoddy"')),
      )
      t.is(validationErrors.length, 1)
      t.like(validationErrors[0], { error: 'INVALID_PROPERTY_VALUE', line_start: 12 })
      t.deepEqual(valueOf(await flows.read(externalId))?.validationErrors, validationErrors)
      t.like(noOf(await flows.publish(externalId)), { upstreamCode: 139_002 })
      t.like(valueOf(await flows.read(externalId)), { status: 'DRAFT' })
      t.deepEqual(doneBy(await flows.upload(externalId, documentOf())), { validationErrors: [] })
      doneBy(await flows.publish(externalId))
    },
  )

  story(
    "an action that a Flow's state does not allow is refused with its code, and changes nothing",
    async (t, world) => {
      const { flows } = await opened(world)
      const externalId = await draft(flows, 'States', null)
      t.like(noOf(await flows.publish(externalId)), { upstreamCode: 139_002 }, 'it has no document')
      t.like(noOf(await flows.deprecate(externalId)), { upstreamCode: 139_003 })
      doneBy(await flows.upload(externalId, documentOf()))
      doneBy(await flows.publish(externalId))
      t.like(noOf(await flows.publish(externalId)), { upstreamCode: 139_002 })
      for (const status of ['PUBLISHED', 'THROTTLED', 'BLOCKED', 'DEPRECATED']) {
        await world.turnFlow(externalId, status)
        t.like(noOf(await flows.upload(externalId, documentOf('Else'))), { upstreamCode: 139_001 }, status)
        t.like(noOf(await flows.update(externalId, { name: 'Else' })), { upstreamCode: 139_001 }, status)
        t.like(noOf(await flows.remove(externalId)), { upstreamCode: 139_004 }, status)
      }
      t.like(noOf(await flows.deprecate(externalId)), { upstreamCode: 139_003 })
      t.like(valueOf(await flows.read(externalId)), { status: 'DEPRECATED', name: 'States', health: 'BLOCKED' })
      t.is(valueOf(await flows.document(externalId)), documentOf())
    },
  )

  story(
    'names are unique in an account, categories and ids are known, and a deleted Flow is gone',
    async (t, world) => {
      const { flows } = await opened(world)
      const externalId = await draft(flows, 'Taken')
      t.like(noOf(await flows.create({ name: 'Taken', categories: ['OTHER'], cloneOf: null })), {
        upstreamCode: 100,
        upstreamMessage: 'A Flow of this account has this name already.',
      })
      for (const wrong of [
        { categories: [] },
        { categories: ['constructor'] },
        { name: ' ' },
        { name: 'x'.repeat(201) },
        { cloneOf: '123' },
      ]) {
        t.like(
          noOf(await flows.create({ name: 'Free', categories: ['OTHER'], cloneOf: null, ...wrong })),
          { upstreamCode: 100 },
          JSON.stringify(wrong),
        )
      }
      const other = await draft(flows, 'Other')
      t.like(noOf(await flows.update(other, { name: 'Taken' })), { upstreamCode: 100 })
      t.like(noOf(await flows.update(other, { endpointUri: 'ftp://example.com' })), { upstreamCode: 100 })
      doneBy(
        await flows.update(other, {
          name: 'Renamed',
          categories: ['SHOPPING', 'OTHER'],
          endpointUri: 'https://example.com/flows',
        }),
      )
      t.like(valueOf(await flows.read(other)), { name: 'Renamed', categories: ['SHOPPING', 'OTHER'] })
      doneBy(await flows.remove(externalId))
      t.is(valueOf(await flows.read(externalId)), null)
      t.like(noOf(await flows.remove(externalId)), { upstreamCode: 100, upstreamSubcode: 33 })
      t.deepEqual(await namesOf(flows), ['Renamed'])
      await draft(flows, 'Taken')
    },
  )

  story('a clone has the document of its source from then on, and is a draft of its own', async (t, world) => {
    const { flows } = await opened(world)
    const source = await draft(flows, 'Source')
    doneBy(await flows.publish(source))
    const { externalId } = doneBy(await flows.create({ name: 'Clone', categories: ['OTHER'], cloneOf: source }))
    t.like(valueOf(await flows.read(externalId)), { status: 'DRAFT', jsonVersion: '7.1' })
    t.is(valueOf(await flows.document(externalId)), documentOf())
    doneBy(await flows.upload(externalId, documentOf('Else')))
    t.is(valueOf(await flows.document(source)), documentOf())
  })

  story(
    'Flows of another account are neither seen nor touched nor cloned, and their names are free',
    async (t, world) => {
      const { flows } = await opened(world)
      const externalId = await draft(flows, 'Mine')
      const { flows: theirs } = world.officialOf((await world.freshNumber()).credentials)
      t.is(valueOf(await theirs.read(externalId)), null)
      t.false((await theirs.document(externalId)).ok)
      for (const write of [
        theirs.publish(externalId),
        theirs.remove(externalId),
        theirs.upload(externalId, documentOf()),
        theirs.update(externalId, { name: 'Theirs' }),
      ]) {
        t.like(noOf(await write), { upstreamCode: 100, upstreamSubcode: 33 })
      }
      t.like(noOf(await theirs.create({ name: 'Theirs', categories: ['OTHER'], cloneOf: externalId })), {
        upstreamCode: 100,
      })
      await draft(theirs, 'Mine')
      t.deepEqual(await namesOf(theirs), ['Mine'])
    },
  )

  story('a write whose answer is lost is unknown, and a read tells what became of it', async (t, world) => {
    const { number, flows } = await opened(world)
    await world.loseAnswerOnce(number, 'POST', 'flows')
    t.is((await flows.create({ name: 'Lost', categories: ['OTHER'], cloneOf: null })).kind, 'unknown')
    const externalId = valueOf(await flows.page(null)).flows[0]?.externalId ?? ''
    await world.loseAnswerOnce(number, 'POST', 'assets', externalId)
    t.is((await flows.upload(externalId, documentOf())).kind, 'unknown')
    t.is(valueOf(await flows.document(externalId)), documentOf())
    await world.loseAnswerOnce(number, 'POST', 'publish', externalId)
    t.is((await flows.publish(externalId)).kind, 'unknown')
    t.like(valueOf(await flows.read(externalId)), { status: 'PUBLISHED' })
    t.like(noOf(await flows.publish(externalId)), { upstreamCode: 139_002 })
  })

  story('an account of more Flows than a page is listed in full, newest first', async (t, world) => {
    const { flows } = await opened(world)
    const names = Array.from({ length: 103 }, (_, n) => `Flow ${n}`)
    for (const name of names) await draft(flows, name, null)
    t.deepEqual(await namesOf(flows), names.toReversed())
  })

  // [sandbox.templates-and-flows.3]
  story('a public key is set for its number and replaced, and a text that is no key is refused', async (t, world) => {
    const { encryption } = await opened(world)
    t.is(valueOf(await encryption.publicKey()), null)
    const keyOf = (modulusLength: number) =>
      generateKeyPairSync('rsa', {
        modulusLength,
        publicKeyEncoding: { type: 'spki', format: 'pem' },
        privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      })
    const [first, second] = [keyOf(2_048), keyOf(2_048)]
    for (const { publicKey } of [first, second]) {
      doneBy(await encryption.setPublicKey(publicKey))
      t.deepEqual(valueOf(await encryption.publicKey()), { publicKey, status: 'VALID' })
    }
    for (const wrong of ['no key', keyOf(1_024).publicKey, first.privateKey])
      t.like(noOf(await encryption.setPublicKey(wrong)), { upstreamCode: 100 })
    t.like(valueOf(await encryption.publicKey()), { publicKey: second.publicKey })
  })
}
