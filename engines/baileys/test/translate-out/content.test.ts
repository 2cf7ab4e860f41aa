import test from 'ava'
import { generateWAMessageContent } from 'baileys'
import { mediaOf, toLibrary } from '../../translate-out/content.ts'
import type { OutgoingFile } from '../../translate-out/content.ts'
import { refusalOf } from '../../translate-out/failure.ts'
import { readContent } from '../../translate-in/content.ts'

const file: OutgoingFile = { path: '/tmp/f', mimeType: 'image/png', fileName: null, voice: false, waveform: null }
/** An error in the library's form: `data` is the network's code, `statusCode` the library's own. */
function thrown(message: string, { data, statusCode }: { data?: number; statusCode?: number }): Error {
  return Object.assign(new Error(message), { isBoom: true, data, output: { statusCode: statusCode ?? 500 } })
}

const none = { file: null, keyOf: () => null }

test('a text goes as it is, one with buttons in words', (t) => {
  t.deepEqual(toLibrary({ type: 'text', text: 'hi' }, none), { ok: true, content: { text: 'hi', linkPreview: null } })
  const worded = {
    type: 'text',
    text: 'hi\n\n• Yes',
    body: 'hi',
    buttons: [{ type: 'QUICK_REPLY', text: 'Yes', id: '1' }],
  }
  t.deepEqual(toLibrary(worded, none), { ok: true, content: { text: 'hi\n\n• Yes', linkPreview: null } })
})

test('media go from their file, with type and caption', (t) => {
  const out = (type: string, more: Partial<OutgoingFile> = {}, text?: string) => {
    const made = toLibrary(
      { type, ...(text === undefined ? {} : { text }), media: { url: 'http://x', mimeType: 'a/b' } },
      { ...none, file: { ...file, ...more } },
    )
    return made.ok ? made.content : made.code
  }
  const media = { url: '/tmp/f' }
  t.deepEqual(out('image', {}, 'look'), { image: media, mimetype: 'image/png', caption: 'look' })
  t.deepEqual(out('video', { mimeType: 'video/mp4' }), { video: media, mimetype: 'video/mp4' })
  t.deepEqual(out('sticker', { mimeType: 'image/webp' }, 'no caption'), { sticker: media, mimetype: 'image/webp' })
  t.deepEqual(out('document', { mimeType: 'application/pdf', fileName: 'a.pdf' }), {
    document: media,
    mimetype: 'application/pdf',
    fileName: 'a.pdf',
  })
  t.deepEqual(out('something new'), { document: media, mimetype: 'image/png', fileName: 'file' })
  t.deepEqual(out('audio', { mimeType: 'audio/ogg; codecs=opus', voice: true, waveform: [0, 50, 100] }), {
    audio: media,
    mimetype: 'audio/ogg; codecs=opus',
    ptt: true,
    waveform: Uint8Array.of(0, 50, 100),
  })
})

test('a carousel goes as the picture of its first card with all cards in words', (t) => {
  const cards = [
    { media: { url: 'http://x/1', mimeType: 'image/jpeg' }, text: 'one' },
    { media: { url: 'http://x/2', mimeType: 'image/jpeg' }, text: 'two' },
  ]
  const content = { type: 'carousel', text: 'all\n\none\n\ntwo', body: 'all', cards }
  t.is(mediaOf(content)?.url, 'http://x/1')
  t.deepEqual(toLibrary(content, { ...none, file }), {
    ok: true,
    content: { image: { url: '/tmp/f' }, mimetype: 'image/png', caption: 'all\n\none\n\ntwo' },
  })
})

test('a place and contacts come out as they went in', async (t) => {
  for (const content of [
    { type: 'location', location: { latitude: 1.5, longitude: 2, name: 'Harbour', address: 'Quay 1' } },
    {
      type: 'contacts',
      contacts: [{ name: { formatted_name: 'Ann' }, phones: [], vcard: 'BEGIN:VCARD\nFN:Ann\nEND:VCARD' }],
    },
  ]) {
    const made = toLibrary(content, none)
    t.true(made.ok)
    const wire = made.ok
      ? await generateWAMessageContent(made.content, { upload: () => Promise.reject(new Error('nothing to upload')) })
      : null
    t.deepEqual(readContent(wire)?.content, content)
  }
})

test('a contact without a card gets one of its name and phones', (t) => {
  const made = toLibrary(
    { type: 'contacts', contacts: [{ name: { formatted_name: 'Ann;\nX' }, phones: [{ phone: '+49 151 1\nTEL:6' }] }] },
    none,
  )
  const card = made.ok && 'contacts' in made.content ? made.content.contacts.contacts[0]?.vcard : null
  t.is(card, 'BEGIN:VCARD\nVERSION:3.0\nN:;Ann\\; X;;;\nFN:Ann\\; X\nTEL;type=CELL;waid=4915116:+49 151 16\nEND:VCARD')
})

test('a reaction needs the key of its message', (t) => {
  const key = { remoteJid: '1@s.whatsapp.net', id: 'M1', fromMe: false }
  t.deepEqual(
    toLibrary({ type: 'reaction', reaction: { messageId: 'M1', emoji: '👍' } }, { file: null, keyOf: () => key }),
    { ok: true, content: { react: { key, text: '👍' } } },
  )
  t.like(toLibrary({ type: 'reaction', reaction: { messageId: 'M1', emoji: '👍' } }, none), {
    ok: false,
    code: 'NOT_FOUND',
  })
})

test('an empty message, or one without its file, is refused', (t) => {
  t.like(toLibrary({ type: 'event' }, none), { ok: false, code: 'UNSUPPORTED' })
  t.like(toLibrary({ type: 'image', media: { url: 'http://x', mimeType: 'image/png' } }, none), {
    ok: false,
    code: 'INVALID',
  })
  t.like(toLibrary({ type: 'location', location: {} }, none), { ok: false, code: 'INVALID' })
  t.like(toLibrary({ type: 'contacts', contacts: [] }, none), { ok: false, code: 'INVALID' })
})

test('errors of the network say whether trying again helps; words of others stay inside', (t) => {
  const told = (error: unknown) => refusalOf(error).error
  t.deepEqual(told(thrown('rate-overlimit', { data: 429 })), {
    code: 'RATE_LIMITED',
    message: 'The network refused the request (429)',
    retryable: true,
  })
  t.deepEqual(told(thrown('item-not-found', { data: 404 })), {
    code: 'NOT_FOUND',
    message: 'The network refused the request (404)',
    retryable: false,
  })
  t.like(told(thrown('Connection Closed', { statusCode: 428 })), { code: 'NOT_CONNECTED', retryable: true })
  t.deepEqual(told(new Error('secret of 4915100000001')), {
    code: 'FAILED',
    message: 'The request to the network failed',
    retryable: true,
  })
})

test('a card has all that the contact says, and the account of numbers with their country alone', (t) => {
  const contact = {
    name: { formatted_name: 'Ana Lima', first_name: 'Ana', last_name: 'Lima' },
    phones: [{ phone: '+55 11 9' }, { phone: '190', type: 'WORK' }],
    emails: [{ email: 'a@b.io', type: 'HOME' }],
    org: { company: 'Acme, Inc', department: 'Sales', title: 'Boss' },
    urls: [{ url: 'https://b.io' }],
  }
  const made = toLibrary({ type: 'contacts', contacts: [contact] }, none)
  const card = made.ok && 'contacts' in made.content ? (made.content.contacts.contacts[0]?.vcard ?? '') : ''
  t.deepEqual(card.split('\n'), [
    'BEGIN:VCARD',
    'VERSION:3.0',
    'N:Lima;Ana;;;',
    'FN:Ana Lima',
    'ORG:Acme\\, Inc;Sales',
    'TITLE:Boss',
    'TEL;type=CELL;waid=55119:+55 11 9',
    'TEL;type=WORK:190',
    'EMAIL;type=HOME:a@b.io',
    'URL:https://b.io',
    'END:VCARD',
  ])
})

test('a poll goes as one, for one choice or for any number, and a list as its words', (t) => {
  const poll = { question: 'When?', options: ['Now', 'Later'] }
  t.deepEqual(toLibrary({ type: 'poll', poll }, none), {
    ok: true,
    content: { poll: { name: 'When?', values: ['Now', 'Later'], selectableCount: 1 } },
  })
  t.like(toLibrary({ type: 'poll', poll: { ...poll, multiple: true } }, none), {
    content: { poll: { selectableCount: 0 } },
  })
  for (const wrong of [undefined, {}, { question: 'a', options: ['b'] }])
    t.like(toLibrary({ type: 'poll', poll: wrong }, none), { ok: false, code: 'INVALID' })
  t.deepEqual(toLibrary({ type: 'text', text: 'Choose\n\n1. One', list: { text: 'Choose' } }, none), {
    ok: true,
    content: { text: 'Choose\n\n1. One', linkPreview: null },
  })
})
