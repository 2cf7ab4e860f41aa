import { z } from 'zod'
import { RefusalError, refuse } from '../../../domain/errors.ts'
import { packageFileName } from '../../../domain/web-build.ts'
import { builtAssetsOf } from '../../pages/built-assets.ts'
import type { BuiltAssets, BuiltBytes } from '../../pages/built-assets.ts'
import { route } from '../../request/route.ts'
import type { Answer, Route } from '../../request/route.ts'

export interface WebAssetDeps {
  /** Null when the pages were not built. */
  readonly builtAssets: BuiltAssets | null
  readonly baseUrl: string
  readonly chatEmbedUrl: string
  readonly connectEmbedUrl: string
}

const GROUP = 'Operations'
/** A year: the name holds the hash of the bytes, so they never change ([configuration.hosts.2]). */
const IMMUTABLE = 'public, max-age=31536000, immutable'
/** [sdk.files.1] for `/embed.js`; our choice: for versions.json and config.json, too. */
const NEWEST = 'public, max-age=300, stale-while-revalidate=86400'
/** Frames of another origin load these files, and so do hosts with COEP require-corp ([sdk.page.3]). */
const FROM_ANYWHERE = { 'cross-origin-resource-policy': 'cross-origin' }
/** Hosts read these files by script, and check their integrity ([sdk.files.5]). */
const READ_ANYWHERE = { ...FROM_ANYWHERE, 'access-control-allow-origin': '*' }

const file = z.object({ file: z.string() })

/**
 * The files of the build, without a key: what pages load ([configuration.hosts.2]), and the SDK in all its forms
 * ([sdk.files.1] to [sdk.files.6]).
 */
export function webAssetRoutes(deps: WebAssetDeps): Route[] {
  return [pageAsset(deps), newestScript(deps), versions(deps), config(deps), embedFile(deps)]
}

function pageAsset({ builtAssets }: WebAssetDeps): Route {
  return route({
    method: 'get',
    path: '/assets/{file}',
    name: 'getAsset',
    group: GROUP,
    access: { by: ['nobody'], of: 'service' },
    bucket: 'static',
    isHidden: true,
    summary: 'Read a file that pages load',
    params: file,
    answer: { status: 200, description: 'The file', type: 'text/javascript' },
    handle: async ({ params }) =>
      answerFile(builtAssetsOf(builtAssets).files.get(`assets/${params.file}`), {
        ...FROM_ANYWHERE,
        'cache-control': IMMUTABLE,
      }),
  })
}

function newestScript({ builtAssets }: WebAssetDeps): Route {
  return route({
    method: 'get',
    path: '/embed.js',
    name: 'getEmbedScript',
    group: GROUP,
    access: { by: ['nobody'], of: 'service' },
    bucket: 'static',
    isHidden: true,
    summary: 'Read the newest SDK of major 1',
    answer: { status: 200, description: 'The script', type: 'text/javascript' },
    handle: async () => answerFile(scriptOf(builtAssetsOf(builtAssets)), { ...READ_ANYWHERE, 'cache-control': NEWEST }),
  })
}

function versions({ builtAssets, baseUrl }: WebAssetDeps): Route {
  return route({
    method: 'get',
    path: '/embed/versions.json',
    name: 'getEmbedVersions',
    group: GROUP,
    access: { by: ['nobody'], of: 'service' },
    bucket: 'static',
    isHidden: true,
    summary: 'Read which versions of the SDK there are',
    answer: {
      status: 200,
      description: 'The versions with their integrity',
      schema: z.object({ latest: z.string(), versions: z.array(z.looseObject({ version: z.string() })) }),
      example: { latest: '1.0.0', versions: [] },
    },
    async handle() {
      const assets = builtAssetsOf(builtAssets)
      const { integrity, bytes, gzipBytes } = scriptOf(assets).facts
      const version = {
        version: assets.sdkVersion,
        url: `${baseUrl}/embed/${scriptName(assets)}`,
        integrity,
        bytes,
        gzipBytes,
      }
      return {
        status: 200,
        body: { latest: assets.sdkVersion, versions: [version] },
        headers: { ...READ_ANYWHERE, 'cache-control': NEWEST },
      }
    },
  })
}

function config({ builtAssets, chatEmbedUrl, connectEmbedUrl }: WebAssetDeps): Route {
  return route({
    method: 'get',
    path: '/embed/config.json',
    name: 'getEmbedConfig',
    group: GROUP,
    access: { by: ['nobody'], of: 'service' },
    bucket: 'static',
    isHidden: true,
    summary: 'Read where the embeddable pages are',
    answer: {
      status: 200,
      description: 'Their bases',
      schema: z.object({ chatUrl: z.string(), connectUrl: z.string(), latest: z.string() }),
      example: { chatUrl: 'https://chat.example', connectUrl: 'https://connect.example', latest: '1.0.0' },
    },
    async handle() {
      const { sdkVersion } = builtAssetsOf(builtAssets)
      return {
        status: 200,
        body: { chatUrl: chatEmbedUrl, connectUrl: connectEmbedUrl, latest: sdkVersion },
        headers: { ...READ_ANYWHERE, 'cache-control': NEWEST },
      }
    },
  })
}

function embedFile({ builtAssets }: WebAssetDeps): Route {
  return route({
    method: 'get',
    path: '/embed/{file}',
    name: 'getEmbedFile',
    group: GROUP,
    access: { by: ['nobody'], of: 'service' },
    bucket: 'static',
    isHidden: true,
    summary: 'Read a version of the SDK, as a script or as a package',
    params: file,
    answer: { status: 200, description: 'The file', type: 'text/javascript' },
    async handle({ params }) {
      const assets = builtAssetsOf(builtAssets)
      const byName = new Map([
        [scriptName(assets), scriptOf(assets)],
        [packageFileName(assets.sdkVersion), assets.files.get(`embed/${packageFileName(assets.sdkVersion)}`)],
      ])
      return answerFile(byName.get(params.file), { ...READ_ANYWHERE, 'cache-control': IMMUTABLE })
    },
  })
}

function scriptOf({ files }: BuiltAssets): BuiltBytes {
  const script = files.get('embed/embed.js')
  if (!script) throw new Error('the build has no script of the SDK')
  return script
}

function scriptName({ sdkVersion }: BuiltAssets): string {
  return `v${sdkVersion}.js`
}

function answerFile(asset: BuiltBytes | undefined, headers: Readonly<Record<string, string>>): Answer {
  if (!asset) throw new RefusalError(refuse('NOT_FOUND', 'No such file'))
  return { status: 200, body: null, ready: asset, type: asset.facts.type, headers }
}
