import type { BucketSettings } from '../domain/bucket-settings.ts'
import type { Variables } from './variables.ts'

/** Our choice: the region of storages that have none is called so by most of them. */
const NO_REGION = 'us-east-1'

/**
 * Presents the bucket of the environment; null for DATA_DIR. A storage with an endpoint is asked by path, Amazon's own
 * by host name.
 */
export function presentFiles(env: Variables): BucketSettings | null {
  if (env.FILES_URL === undefined) return null
  const { hostname, pathname, searchParams } = new URL(env.FILES_URL)
  const endpoint = searchParams.get('endpoint')?.replace(/\/+$/, '') ?? null
  const region = searchParams.get('region') ?? NO_REGION
  const prefix = pathname.replaceAll(/^\/+|\/+$/g, '')
  return Object.freeze({
    url: endpoint === null ? `https://${hostname}.s3.${region}.amazonaws.com` : `${endpoint}/${hostname}`,
    prefix: prefix === '' ? '' : `${prefix}/`,
    region,
    accessKeyId: env.AWS_ACCESS_KEY_ID ?? '',
    secretAccessKey: env.AWS_SECRET_ACCESS_KEY ?? '',
    sessionToken: env.AWS_SESSION_TOKEN ?? null,
    isLinked: env.FILES_REDIRECT === 'on',
  })
}

/** Finds what is missing beside FILES_URL, or without it. */
export function faultsOfFiles(env: Variables): string[] {
  if (env.FILES_URL === undefined)
    return env.FILES_REDIRECT === 'on' ? ['FILES_REDIRECT: is of use only together with FILES_URL'] : []
  return (['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'] as const)
    .filter((name) => env[name] === undefined)
    .map((name) => `${name}: is required together with FILES_URL`)
}
