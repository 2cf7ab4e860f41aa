import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { extname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { LIST } from '../../src/domain/web-build.ts'
import type { BuiltFile, WebBuild } from '../../src/domain/web-build.ts'

const packGzip = promisify(gzip)
const packBrotli = promisify(brotliCompress)

/** Media types of all files that a build may hold; a file of any other type is a fault of the build. */
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.tgz': 'application/gzip',
}
/**
 * Files that are not compressed: those that are compressed already, and documents, which the service fills with data.
 */
const NOT_PACKED: ReadonlySet<string> = new Set(['.html', '.png', '.webp', '.woff2', '.tgz'])

/** Compresses every file of a build into a file beside it, and writes the list of all files. */
export async function listBuild(folder: string, facts: Omit<WebBuild, 'files'>): Promise<void> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = entries.map((entry) => join(entry.parentPath, entry.name)).toSorted()
  const listed = await Promise.all(
    paths.map(async (path) => [relative(folder, path).replaceAll('\\', '/'), await listFile(path)] as const),
  )
  const list: WebBuild = { ...facts, files: Object.fromEntries(listed) }
  writeFileSync(join(folder, LIST), `${JSON.stringify(list, null, 2)}\n`)
}

async function listFile(path: string): Promise<BuiltFile> {
  const bytes = readFileSync(path)
  const type = TYPES[extname(path)]
  if (type === undefined) throw new Error(`${path}: no media type is known for this file`)
  const digest = createHash('sha384').update(bytes).digest()
  const packed = NOT_PACKED.has(extname(path)) ? { gzipBytes: null, brBytes: null } : await packFile(path, bytes)
  return {
    type,
    hash: digest.toString('hex').slice(0, 32),
    integrity: `sha384-${digest.toString('base64')}`,
    bytes: bytes.length,
    ...packed,
  }
}

async function packFile(path: string, bytes: Buffer): Promise<Pick<BuiltFile, 'gzipBytes' | 'brBytes'>> {
  const [gz, br] = await Promise.all([
    packGzip(bytes, { level: constants.Z_BEST_COMPRESSION }),
    packBrotli(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  ])
  writeFileSync(`${path}.gz`, gz)
  writeFileSync(`${path}.br`, br)
  return { gzipBytes: gz.length, brBytes: br.length }
}
