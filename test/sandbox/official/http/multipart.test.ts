import test from 'ava'
import { readMultipart } from '../../../../sandbox/official/http/multipart.ts'

const TYPE = 'multipart/form-data; boundary=xYz'

function read(disposition: string, before = '', type = 'content-type: image/jpeg\r\n') {
  return readMultipart(
    Buffer.from(`${before}--xYz\r\ncontent-disposition: form-data; ${disposition}\r\n${type}\r\nBYTES\r\n--xYz--\r\n`),
    TYPE,
  )
}

test('a form is read as clients write it, also where names have no quotes or an escaped one, are told twice, or a text stands before', (t) => {
  const expected = { bytes: Buffer.from('BYTES'), fileName: 'a.jpg', mimeType: 'image/jpeg' }
  for (const { file } of [
    read('name="file"; filename="a.jpg"'),
    read('name=file; filename=a.jpg'),
    read(`name="file"; filename="a.jpg"; filename*=utf-8''a.jpg`),
    read('name="file"; filename="a.jpg"', 'hello\r\n'),
  ])
    t.deepEqual(file, expected)
  t.is(read('name="file"; filename="a\\"b.jpg"').file?.fileName, 'a"b.jpg')
})

test('a file without a type is one of bytes', (t) => {
  t.is(read('name="file"; filename="a.jpg"', '', '').file?.mimeType, 'application/octet-stream')
})

test('a body that is no form is refused', (t) => {
  for (const [body, type] of [
    ['--xYz--', 'multipart/form-data'],
    ['BYTES', TYPE],
    ['--xYz\r\nBYTES\r\n--xYz--\r\n', TYPE],
    ['--xYz\r\ncontent-disposition: form-data; name="a"\r\n\r\nBYTES', TYPE],
  ] as const) {
    t.throws(() => readMultipart(Buffer.from(body), type), { name: 'GraphError' }, body)
  }
})
