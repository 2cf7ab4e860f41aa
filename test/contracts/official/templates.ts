import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ExecutionContext } from 'ava'
import type { TemplatesPort, TemplateSubmission, UpstreamTemplate } from '../../../src/ports/official/templates.ts'
import { until } from '../../helpers/until.ts'
import { doneBy, noOf, valueOf } from './world.ts'
import type { OfficialWorld, Story } from './world.ts'

const BODY = { type: 'BODY', text: 'Your order {{1}} is on its way.', example: { body_text: [['17']] } }

function submission(name: string, more: Partial<TemplateSubmission> = {}): TemplateSubmission {
  return {
    name,
    language: 'pt_BR',
    category: 'UTILITY',
    components: [BODY],
    parameterFormat: 'POSITIONAL',
    displayFormat: null,
    ...more,
  }
}

/** Opens an account without templates, with its events. */
async function opened(world: OfficialWorld) {
  const number = await world.freshNumber()
  const { url, verifyToken, changes } = await world.callback(number)
  const { templates, subscription } = world.officialOf(number.credentials)
  valueOf(await subscription.subscribe(url, verifyToken))
  return {
    number,
    templates,
    told: () => world.accountEvents(changes).filter((event) => event.type === 'templateTold'),
  }
}

async function namesOf(templates: TemplatesPort): Promise<string[]> {
  const names: string[] = []
  for (let after: string | null = null, isLast = false; !isLast;) {
    const page: { readonly templates: readonly UpstreamTemplate[]; readonly next: string | null } = valueOf(
      await templates.page(after),
    )
    names.push(...page.templates.map(({ name }) => name))
    after = page.next
    isLast = after === null
  }
  return names
}

async function sampleFile(t: ExecutionContext) {
  const directory = await mkdtemp(join(tmpdir(), 'samples-'))
  t.teardown(() => rm(directory, { recursive: true, force: true }))
  const bytes = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, ...Buffer.from('JFIF'), 0, 0xff, 0xd9])
  const path = join(directory, 'sample')
  await writeFile(path, bytes)
  return { path, mimeType: 'image/jpeg', sizeBytes: bytes.length, fileName: 'sample.jpg' }
}

/** Behaviour of an account's templates. */
export function testTemplates(story: Story): void {
  story(
    'a template is created, reviewed, told of with its id whole, found, read, edited and removed',
    async (t, world) => {
      const { templates, told } = await opened(world)
      const { externalId, status } = doneBy(await templates.create(submission('order_sent')))
      t.is(status, 'PENDING')
      t.regex(externalId, /^\d+$/)
      await world.turnTemplate(externalId, { event: 'APPROVED', language: 'pt-BR' })
      const [event] = await until('it is told', () => (told().length > 0 ? told() : null))
      t.like(event, {
        kind: 'STATUS',
        ref: { externalId, name: 'order_sent', language: 'pt-BR' },
        value: { event: 'APPROVED' },
      })
      const shown = {
        externalId,
        name: 'order_sent',
        language: 'pt_BR',
        status: 'APPROVED',
        category: 'UTILITY',
        rejectedReason: null,
        parameterFormat: 'POSITIONAL',
        components: [BODY],
      }
      t.like(valueOf(await templates.read(externalId)), shown)
      t.like(valueOf(await templates.find('order_sent', 'pt_BR')), shown)
      const wording = { ...BODY, text: 'Order {{1}} will be there today.' }
      doneBy(await templates.edit(externalId, { components: [wording], parameterFormat: 'POSITIONAL', category: null }))
      t.like(valueOf(await templates.read(externalId)), { status: 'PENDING', components: [wording] })
      doneBy(await templates.remove(externalId, 'order_sent'))
      t.is(valueOf(await templates.read(externalId)), null)
      t.is(valueOf(await templates.find('order_sent', 'pt_BR')), null)
      t.like(noOf(await templates.remove(externalId, 'order_sent')), { upstreamCode: 100, upstreamSubcode: 2_593_002 })
    },
  )

  story('one language of a name is removed, and found among names that contain each other', async (t, world) => {
    const { templates } = await opened(world)
    for (const name of ['order_sen', 'order_sent', 'reorder_sen']) doneBy(await templates.create(submission(name)))
    const { externalId } = doneBy(await templates.create(submission('order_sen', { language: 'en_US' })))
    t.is(valueOf(await templates.find('order_sen', 'en_US'))?.externalId, externalId)
    t.is(valueOf(await templates.find('order_se', 'en_US')), null)
    doneBy(await templates.remove(externalId, 'order_sen'))
    t.deepEqual((await namesOf(templates)).toSorted(), ['order_sen', 'order_sent', 'reorder_sen'])
  })

  story("a refused template has the upstream's code and subcode, and leaves nothing behind", async (t, world) => {
    const { templates } = await opened(world)
    const atEdge = [{ ...BODY, text: '{{1}} is on its way.' }]
    const no = noOf(await templates.create(submission('at_edge', { components: atEdge })))
    t.like(no, { upstreamCode: 100, upstreamSubcode: 2_388_299 })
    t.truthy('upstreamMessage' in no && no.upstreamMessage)
    t.is(valueOf(await templates.find('at_edge', 'pt_BR')), null)
    const { externalId } = doneBy(await templates.create(submission('twice')))
    t.like(noOf(await templates.create(submission('twice'))), { upstreamSubcode: 2_388_024 })
    t.is(
      (await templates.edit(externalId, { components: atEdge, parameterFormat: 'POSITIONAL', category: null })).kind,
      'refused',
    )
    t.like(valueOf(await templates.read(externalId)), { components: [BODY] })
    const other = await world.freshNumber()
    const { templates: theirs } = world.officialOf(other.credentials)
    t.is(valueOf(await theirs.read(externalId)), null, 'it is of another account')
    t.is((await theirs.remove(externalId, 'twice')).kind, 'refused')
  })

  story('a write whose answer is lost is unknown, and a look-up tells what became of it', async (t, world) => {
    const { number, templates } = await opened(world)
    await world.loseAnswerOnce(number, 'POST', 'message_templates')
    t.is((await templates.create(submission('order_sent'))).kind, 'unknown')
    const { externalId } = valueOf(await templates.find('order_sent', 'pt_BR')) ?? (t.fail() as never)
    await world.loseAnswerOnce(number, 'DELETE', 'message_templates')
    t.is((await templates.remove(externalId, 'order_sent')).kind, 'unknown')
    t.is(valueOf(await templates.find('order_sent', 'pt_BR')), null)
  })

  story('an uploaded sample gets a handle, and an address is not accepted as one', async (t, world) => {
    const { templates } = await opened(world)
    const handle = doneBy(await templates.uploadSample(await sampleFile(t)))
    const header = (given: string) => ({ type: 'HEADER', format: 'IMAGE', example: { header_handle: [given] } })
    const { externalId } = doneBy(
      await templates.create(submission('with_picture', { components: [header(handle), BODY] })),
    )
    t.like(valueOf(await templates.read(externalId)), { components: [{ type: 'HEADER', format: 'IMAGE' }, BODY] })
    const no = noOf(
      await templates.create(submission('with_address', { components: [header('https://example.com/a.jpg'), BODY] })),
    )
    t.like(no, { upstreamCode: 100, upstreamSubcode: 2_388_273 })
  })

  story("every template change of the upstream is told with the template's id", async (t, world) => {
    const { templates, told } = await opened(world)
    const { externalId } = doneBy(await templates.create(submission('order_sent')))
    await world.turnTemplate(externalId, {
      event: 'PAUSED',
      title: 'FIRST_PAUSE',
      description: 'Too many blocks',
      quality: 'RED',
      category: 'MARKETING',
      components: [{ type: 'BODY', text: 'Else' }],
    })
    await world.turnTemplate(externalId, {
      event: 'EVENT_OF_TOMORROW',
      correctCategory: 'UTILITY',
      detectedCategory: 'UTILITY',
    })
    const all = await until('everything is told', () => (told().length === 7 ? told() : null))
    t.deepEqual(all.map(({ kind }) => kind).toSorted(), [
      'CATEGORY',
      'CATEGORY',
      'COMPONENTS',
      'CORRECT_CATEGORY',
      'QUALITY',
      'STATUS',
      'STATUS',
    ])
    for (const { ref } of all) t.deepEqual(ref, { externalId, name: 'order_sent', language: 'pt_BR' })
  })

  story('an account of more than one page is listed in full', async (t, world) => {
    const { number, templates } = await opened(world)
    await world.seedTemplates(number, 205)
    const names = await namesOf(templates)
    t.is(names.length, 205)
    t.is(new Set(names).size, 205)
    t.is(valueOf(await templates.find('seeded_000001', 'en_US'))?.status, 'APPROVED')
  })
}
