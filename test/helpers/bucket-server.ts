import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ExecutionContext } from 'ava'
import { Bucket } from '../../src/files/places/bucket.ts'
import type { BucketSettings } from '../../src/domain/bucket-settings.ts'
import { isSigned } from './signed-request.ts'
import { temporaryDirectory } from './temporary-directory.ts'

/** How a storage fails: it cuts connections, answers nothing, has no room, or refuses. */
export type BucketFailure = 'away' | 'silent' | 'full' | 'denying'

/** The package has no types. */
type Storage = {
  configureBuckets(): Promise<void>
  callback(): (asked: IncomingMessage, answer: ServerResponse) => void
}
const { default: S3rver } = (await import('s3rver' as string)) as { default: new (options: object) => Storage }

const ANSWERS = {
  full: { status: 507, code: 'InsufficientStorage' },
  unsigned: { status: 403, code: 'SignatureDoesNotMatch' },
  denying: { status: 403, code: 'AccessDenied' },
} as const
/** The one account of the storage. */
const KEY = 'S3RVER'

export interface BucketServer {
  readonly settings: BucketSettings
  /** A bucket with these settings changed. */
  bucket(changes?: Partial<BucketSettings>): Bucket
  /** From now on; null for a storage that works. */
  fail(how: BucketFailure | null): void
  /** Requests so far, by method and path without the bucket. */
  readonly asked: readonly string[]
  /** The environment of a gateway whose files it has. */
  readonly env: Readonly<Record<string, string>>
}

/** An S3 storage of other make, with one empty bucket. Requests must be signed. */
export async function startBucket(t: Pick<ExecutionContext, 'teardown'>): Promise<BucketServer> {
  const directory = await temporaryDirectory()
  const storage = new S3rver({
    directory: directory.path,
    silent: true,
    vhostBuckets: false,
    configureBuckets: [{ name: 'files' }],
  })
  await storage.configureBuckets()
  let failure: BucketFailure | null = null
  const asked: string[] = []
  const serve = storage.callback()
  const server = createServer((request, answer) => {
    asked.push(`${request.method} ${request.url?.replace(/^\/files/, '') ?? ''}`)
    if (failure === 'away') return void request.socket.destroy()
    if (failure === 'silent') return
    // The storage itself does not check signatures of version 4.
    const refusal = failure === null ? (isSigned(request, KEY) ? null : 'unsigned') : failure
    if (refusal === null) return serve(request, answer)
    const { status, code } = ANSWERS[refusal]
    request.resume()
    answer.writeHead(status, { 'content-type': 'application/xml' }).end(`<Error><Code>${code}</Code></Error>`)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.teardown(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    await directory.remove()
  })
  const settings: BucketSettings = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/files`,
    prefix: 'cms/',
    region: 'us-east-1',
    accessKeyId: KEY,
    secretAccessKey: KEY,
    sessionToken: null,
    isLinked: false,
  }
  return {
    settings,
    bucket: (changes = {}) => new Bucket({ ...settings, ...changes }),
    fail: (how) => void (failure = how),
    asked,
    env: {
      FILES_URL: `s3://files/cms?endpoint=${new URL(settings.url).origin}`,
      AWS_ACCESS_KEY_ID: KEY,
      AWS_SECRET_ACCESS_KEY: KEY,
    },
  }
}
