import test from 'ava'
import {
  mediaIn,
  shownSource,
  withSources,
  type CarouselMode,
  type ComposedMode,
  type MediaMode,
  type OutgoingContent,
  type SentContent,
  type TemplateFile,
  type TemplateMode,
} from '../../src/domain/outgoing.ts'
import type { MediaSource } from '../../src/domain/message.ts'

const [ONE, TWO] = [{ url: 'https://a.example/1' }, { url: 'https://a.example/2' }]
const FILES: readonly TemplateFile[] = [
  { kind: 'document', source: ONE, fileName: 'a.pdf', isOwn: true },
  { kind: 'image', source: TWO, fileName: null, isOwn: false },
]
const MEDIA: MediaMode<MediaSource> = { mode: 'media', kind: 'voice', source: ONE, caption: null, fileName: 'a.ogg' }
const CAROUSEL: CarouselMode<MediaSource> = {
  mode: 'carousel',
  text: 'a',
  cards: [ONE, TWO].map((image) => ({ image, text: 'b', buttons: [] })),
}
const TEMPLATE: TemplateMode<MediaSource> = {
  mode: 'template',
  name: 'a',
  language: 'de',
  components: [{ type: 'header' }],
  files: FILES,
}
const COMPOSED: ComposedMode<MediaSource> = {
  mode: 'composed',
  header: null,
  body: 'a',
  footer: null,
  buttons: [],
  file: FILES[0] ?? null,
}
/** Modes that have no files, by the fields that matter here. */
const WITHOUT = (['text', 'flow', 'location', 'contacts', 'list', 'reaction', 'contactRequest', 'poll'] as const).map(
  (mode) => ({ mode }) as unknown as OutgoingContent,
)

test('the media of a message are listed in their order, with the names that they have there', (t) => {
  t.deepEqual(mediaIn(MEDIA), [{ kind: 'voice', source: ONE, fileName: 'a.ogg' }])
  t.deepEqual(mediaIn(CAROUSEL), [
    { kind: 'image', source: ONE, fileName: null },
    { kind: 'image', source: TWO, fileName: null },
  ])
  t.deepEqual(mediaIn(TEMPLATE), [
    { kind: 'document', source: ONE, fileName: 'a.pdf' },
    { kind: 'image', source: TWO, fileName: null },
  ])
  t.deepEqual(mediaIn(COMPOSED), [{ kind: 'document', source: ONE, fileName: 'a.pdf' }])
  t.deepEqual(mediaIn({ ...COMPOSED, file: null }), [])
  for (const content of WITHOUT) t.deepEqual(mediaIn(content), [])
})

test('a kept message of a mode that this version does not know has no list of media', (t) => {
  t.is(mediaIn({ mode: 'hologram' } as unknown as OutgoingContent), undefined as never)
})

test('each media is replaced by that of its place, and all else stays', (t) => {
  const replaced = (content: SentContent<MediaSource>) => withSources(content, ['x', 'y'])
  t.deepEqual(replaced(MEDIA), { ...MEDIA, source: 'x' })
  t.deepEqual(replaced(CAROUSEL), {
    ...CAROUSEL,
    cards: [
      { image: 'x', text: 'b', buttons: [] },
      { image: 'y', text: 'b', buttons: [] },
    ],
  })
  t.deepEqual(replaced(TEMPLATE), {
    ...TEMPLATE,
    files: [
      { ...FILES[0], source: 'x' },
      { ...FILES[1], source: 'y' },
    ],
  } as SentContent<string>)
  t.deepEqual(replaced(COMPOSED), { ...COMPOSED, file: { ...FILES[0], source: 'x' } } as SentContent<string>)
  t.deepEqual(replaced({ ...COMPOSED, file: null }), { ...COMPOSED, file: null })
  for (const content of WITHOUT) t.is(replaced(content) as unknown, content)
})

test('a message of which a media is not at hand is not made', (t) => {
  t.throws(() => withSources(CAROUSEL, ['x']), {
    instanceOf: RangeError,
    message: 'a media of the message is not at hand',
  })
  t.notThrows(() => withSources({ ...COMPOSED, file: null }, []))
})

test('reads show the file of a media and the header of a template, and no picture of a card', (t) => {
  t.is(shownSource(MEDIA), ONE)
  t.is(shownSource(COMPOSED), ONE)
  t.is(shownSource({ ...COMPOSED, file: null }), null)
  t.is(shownSource(TEMPLATE), ONE)
  t.is(shownSource({ ...TEMPLATE, files: [] }), null)
  t.is(shownSource({ ...TEMPLATE, components: [] }), ONE)
  t.is(shownSource({ ...TEMPLATE, components: [{ type: 'body' }, { type: 'carousel' }] }), null)
  for (const content of [CAROUSEL, ...WITHOUT]) t.is(shownSource(content), null)
})
