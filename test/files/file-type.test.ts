import test from 'ava'
import { shownName } from '../../src/domain/document-name.ts'
import { mimeTypeOf, nameInUrl, safeName } from '../../src/files/file-name.ts'
import { typeOf } from '../../src/files/file-type.ts'
import { receivedType } from '../../src/files/rehosting.ts'
import { waveFile } from '../helpers/file-host.ts'

const latin = (text: string) => Buffer.from(text, 'latin1')
const brand = (major: string, ...more: string[]) =>
  latin(`\0\0\0${String.fromCharCode(16 + 4 * more.length)}ftyp${major}\0\0\0\0${more.join('')}`)
const ebml = (docType: string) =>
  latin(`\x1aE\xdf\xa3\x9f\x42\x86\x81\x01\x42\x82${String.fromCharCode(0x80 | docType.length)}${docType}`)

/** Two ADTS frames of 32 bytes each. */
const adts = Buffer.concat(
  Array.from({ length: 2 }, () =>
    Buffer.concat([Buffer.from([0xff, 0xf1, 0x50, 0x80, 0x04, 0x1f, 0xfc]), Buffer.alloc(25)]),
  ),
)

test('every type is told by its first bytes', (t) => {
  const files: Record<string, Buffer> = {
    'image/jpeg': latin('\xff\xd8\xff\xe0\0\x10JFIF'),
    'image/png': latin('\x89PNG\r\n\x1a\n\0\0\0\rIHDR'),
    'image/webp': latin('RIFF\x10\0\0\0WEBPVP8 '),
    'image/gif': latin('GIF89a\x01\0'),
    'audio/wav': waveFile({ hz: 440, seconds: 0.01 }),
    'audio/amr': latin('#!AMR\n\x3c'),
    'audio/flac': latin('fLaC\0\0\0\x22'),
    'audio/aac': adts,
    'audio/mp4': brand('M4A ', 'isom'),
    'audio/mpeg': Buffer.concat([latin('ID3\x04\0\0\0\0\x02\x01'), Buffer.alloc(20)]),
    'video/mp4': brand('isom', 'mp41'),
    'video/quicktime': brand('qt  '),
    'video/3gpp': brand('3gp5', 'isom'),
    'video/webm': ebml('webm'),
    'video/x-matroska': ebml('matroska'),
    'video/x-msvideo': latin('RIFF\x10\0\0\0AVI LIST'),
    'application/pdf': latin('%PDF-1.4\n'),
    'application/zip': latin('PK\x03\x04\x14\0'),
    'application/x-cfb': latin('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'),
    'text/plain': Buffer.from('grüße\n'),
    'application/octet-stream': Buffer.from([0, 1, 2]),
  }
  for (const [type, bytes] of Object.entries(files)) t.is(String(typeOf(bytes)), type)
  t.is(typeOf(latin('#!AMR-WB\n')), 'audio/amr')
  t.is(typeOf(brand('XYZ ', 'mp42')), 'video/mp4')
  t.is(typeOf(latin('\0\0\x10\0moov\0\0\0\x6cmvhd')), 'video/quicktime')
})

test('a file that only resembles a media type is not recognised as it', (t) => {
  const others: Record<string, Buffer> = {
    'a playlist': Buffer.from('#EXTM3U\n#EXTINF:10,\nhttp://127.0.0.1/\n'),
    svg: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
    html: Buffer.from('<!doctype html>'),
    ...Object.fromEntries(
      ['BMW', 'MZ', 'GIF', '%!'].map((word) => [`a text that begins with ${word}`, Buffer.from(`${word} is a word\n`)]),
    ),
    nothing: Buffer.alloc(0),
    'a still picture in the same container': brand('heic', 'mif1'),
    'an unknown brand': brand('zzzz'),
    'a lone AAC header': adts.subarray(0, 32),
    'an unknown EBML': ebml('other'),
  }
  for (const [name, bytes] of Object.entries(others))
    t.true(['text/plain', 'application/octet-stream'].includes(typeOf(bytes)), name)
})

test('text may be cut in the middle of a character', (t) => {
  t.is(typeOf(Buffer.from('ééé').subarray(0, 5)), 'text/plain')
  t.is(typeOf(Buffer.from([0x61, 0xff, 0x61])), 'application/octet-stream')
})

test('office documents are told from other ZIP files by their folders', (t) => {
  const head = latin('PK\x03\x04\x14\0[Content_Types].xml')
  t.regex(typeOf(head, latin('PK\x01\x02word/document.xml')), /wordprocessingml/)
  t.regex(typeOf(head, latin('PK\x01\x02xl/workbook.xml')), /spreadsheetml/)
  t.regex(typeOf(head, latin('PK\x01\x02ppt/presentation.xml')), /presentationml/)
  t.is(typeOf(latin('PK\x03\x04\x14\0'), latin('word/document.xml')), 'application/zip')
})

test('names are made safe and get the extension of the content', (t) => {
  t.is(safeName('Report.exe', 'application/pdf'), 'Report.pdf')
  t.is(safeName('../..\\a\u202egnp.exe', 'image/png'), 'agnp.png')
  t.is(safeName(null, 'audio/ogg'), 'file.ogg')
  t.is(safeName('notes.md', 'text/plain'), 'notes.md')
  t.is(safeName('.htaccess', 'text/plain'), 'htaccess.txt')
  t.true(safeName('x'.repeat(500), 'video/mp4').length <= 124)
  t.is(nameInUrl('https://a.test/b/c%20d.pdf?x=1'), 'c d.pdf')
  t.is(nameInUrl('https://a.test/%ff'), '%ff')
  t.is(nameInUrl('https://a.test/'), null)
})

test('an extension that means the same type is kept, and digits after a dot are no extension', (t) => {
  t.is(safeName('foto.JPEG', 'image/jpeg'), 'foto.jpeg')
  t.is(safeName('scan.jfif', 'image/jpeg'), 'scan.jfif')
  t.is(safeName('v1.2', 'application/pdf'), 'v1.2.pdf')
  t.is(safeName('v1.2 final', 'application/pdf'), 'v1.2 final.pdf')
  t.true(safeName('😀'.repeat(500), 'application/pdf').isWellFormed())
})

test('a workbook with macros, a template and a show keep the extension by which alone they open', (t) => {
  const head = latin('PK\x03\x04\x14\0[Content_Types].xml')
  const odf = (of: string) =>
    typeOf(
      Buffer.concat([latin('PK\x03\x04'), Buffer.alloc(26), latin(`mimetypeapplication/vnd.oasis.opendocument.${of}`)]),
    )
  for (const [name, type] of [
    ['Preços.xlsm', typeOf(head, latin('xl/workbook.xml'))],
    ['A.XLSB', typeOf(head, latin('xl/workbook.bin'))],
    ['Carta.dotx', typeOf(head, latin('word/document.xml'))],
    ['Show.ppsx', typeOf(head, latin('ppt/presentation.xml'))],
    ['a.ott', odf('text-template')],
    ['a.ots', odf('spreadsheet-template')],
  ] as const)
    t.is(shownName(name, safeName(name, type)), name)
  t.is(shownName('Preços.docx', safeName('Preços.docx', typeOf(head, latin('xl/workbook.xml')))), 'Preços.docx.xlsx')
})

test('a name divides only what content does not', (t) => {
  t.is(mimeTypeOf('application/x-cfb', 'a.xls'), 'application/vnd.ms-excel')
  t.is(mimeTypeOf('application/x-cfb', null), 'application/octet-stream')
  t.is(mimeTypeOf('text/plain', 'a.html'), 'text/plain')
  t.is(mimeTypeOf('image/png', 'a.xls'), 'image/png')
})

test("the engine's type of a received file counts when the content says less", (t) => {
  t.is(receivedType('audio/ogg', 'audio/ogg; codecs=opus', null), 'audio/ogg; codecs=opus')
  t.is(receivedType('video/mp4', 'audio/mp4', null), 'audio/mp4')
  t.is(receivedType('image/jpeg', 'video/mp4', null), 'image/jpeg')
  t.is(receivedType('application/octet-stream', 'image/jpeg', null), 'application/octet-stream')
  t.is(receivedType('text/plain', 'text/vcard', null), 'text/vcard')
})
