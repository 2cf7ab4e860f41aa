import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { constants, gzipSync } from 'node:zlib'

/** A block of a tar archive, in bytes (POSIX ustar). */
const BLOCK = 512
/** Where the header's fields begin and how long they are (POSIX ustar). */
const FIELDS = {
  name: [0, 100],
  mode: [100, 8],
  uid: [108, 8],
  gid: [116, 8],
  size: [124, 12],
  mtime: [136, 12],
  checksum: [148, 8],
  type: [156, 1],
  magic: [257, 8],
} as const
/** The modification time that npm gives every file, in s (1985-10-26), so that equal files make equal packages. */
const MTIME = 499_162_500

/**
 * Packs a folder as npm packs a package: a gzipped tar with everything below `package/`. Equal files make equal bytes.
 */
export function packPackage(folder: string): Buffer {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = files.map(({ parentPath, name }) => join(parentPath, name)).toSorted()
  const entries = paths.flatMap((path) =>
    entryOf(`package/${path.slice(folder.length + 1).replaceAll('\\', '/')}`, readFileSync(path)),
  )
  return gzipSync(Buffer.concat([...entries, Buffer.alloc(2 * BLOCK)]), { level: constants.Z_BEST_COMPRESSION })
}

function entryOf(name: string, content: Buffer): Buffer[] {
  return [headerOf(name, content.length), content, Buffer.alloc((BLOCK - (content.length % BLOCK)) % BLOCK)]
}

function headerOf(name: string, size: number): Buffer {
  if (Buffer.byteLength(name) > FIELDS.name[1]) throw new Error(`${name} is too long for the archive`)
  const header = Buffer.alloc(BLOCK)
  const put = (field: keyof typeof FIELDS, text: string): void =>
    void header.write(text, FIELDS[field][0], FIELDS[field][1], 'utf8')
  put('name', name)
  put('mode', octal(0o644, 7))
  put('uid', octal(0, 7))
  put('gid', octal(0, 7))
  put('size', octal(size, 11))
  put('mtime', octal(MTIME, 11))
  put('type', '0')
  put('magic', 'ustar\u000000')
  // The checksum counts its own field as spaces (POSIX ustar).
  put('checksum', ' '.repeat(8))
  put(
    'checksum',
    `${octal(
      header.reduce((sum, byte) => sum + byte, 0),
      6,
    )}\0 `,
  )
  return header
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, '0')
}
