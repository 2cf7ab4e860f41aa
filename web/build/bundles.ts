import { mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { build } from 'vite'
import type { BuildOptions, InlineConfig } from 'vite'
import type { WebBuild } from '../../src/domain/web-build.ts'

/** What several pages draw with: it goes into one file, because several compress worse, and each costs a request. */
interface Shared {
  readonly name: string | ((moduleId: string, context: ModulesOfBuild) => string | null)
  readonly test: RegExp
  readonly minShareCount: 2
}

/** What the bundler tells of its modules, as far as it is read here. */
interface ModulesOfBuild {
  getModuleInfo(moduleId: string): { readonly importers: readonly string[] } | null
}

/** Pages that are built together: each is a folder of `web` with an `index.html`. */
interface Bundle {
  readonly pages: readonly string[]
  readonly shared: Shared
}

/**
 * The dashboard is built apart from the small pages, because everything that two of its own pages share would else be
 * in the first load of the small ones too.
 */
const BUNDLES: readonly Bundle[] = [
  {
    pages: ['connect', 'chat', 'people'],
    shared: {
      name: sharedByPages,
      test: /[\\/]node_modules[\\/]|[\\/]web[\\/](?:ui|words)[\\/][^\\/]+$|[\\/]src[\\/]domain[\\/]|vite[\\/]preload-helper/,
      minShareCount: 2,
    },
  },
  {
    pages: ['dashboard'],
    shared: {
      name: 'ground',
      test: /[\\/]node_modules[\\/]|[\\/]web[\\/](?:ui|words)[\\/][^\\/]+$|[\\/]web[\\/]dashboard[\\/](?!pages[\\/])|[\\/]src[\\/]domain[\\/]|vite[\\/]preload-helper/,
      minShareCount: 2,
    },
  },
]

/**
 * The file that the small pages share; null for what one page alone imports, which may load it in two of its parts.
 */
function sharedByPages(moduleId: string, modules: ModulesOfBuild): string | null {
  const importers = modules.getModuleInfo(moduleId)?.importers ?? []
  const places = new Set(importers.map((importer) => /[\\/]web[\\/](\w+)[\\/]/.exec(importer)?.[1] ?? 'package'))
  const [only = 'ui'] = places.size === 1 ? places : []
  return ['connect', 'chat', 'people'].includes(only) ? null : 'shared'
}

/**
 * The configuration that pages and SDK share: the output needs no 'unsafe-inline' in a policy, and a build without
 * faults prints nothing.
 */
function configOf(root: string, options: BuildOptions): InlineConfig {
  return {
    configFile: false,
    envFile: false,
    root: join(root, 'web'),
    base: '/',
    publicDir: false,
    logLevel: 'error',
    clearScreen: false,
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact', development: false } },
    resolve: { alias: { react: 'preact/compat', 'react-dom': 'preact/compat' } },
    build: {
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      emptyOutDir: false,
      reportCompressedSize: false,
      ...options,
      // The output names its source files. The paths are relative to the root, so they are the same when npm packs from
      // the folder of the SDK.
      rolldownOptions: { cwd: root, ...options.rolldownOptions },
    },
  }
}

/**
 * Builds every page: its document goes to `pages/{name}.html`, everything that it loads to `assets/`. Answers which
 * files each page loads later.
 */
export async function bundlePages(root: string, folder: string): Promise<WebBuild['later']> {
  const later: WebBuild['later'][] = []
  for (const bundle of BUNDLES) later.push(await buildBundle(root, folder, bundle))
  // A source that two bundles load is named for the first one, whose documents name it.
  return Object.assign({}, ...later.toReversed()) as WebBuild['later']
}

async function buildBundle(root: string, folder: string, { pages, shared }: Bundle): Promise<WebBuild['later']> {
  const input = Object.fromEntries(pages.map((page) => [page, join(root, 'web', page, 'index.html')]))
  const built = (await build(
    configOf(root, { outDir: folder, rolldownOptions: { input, output: { codeSplitting: { groups: [shared] } } } }),
  )) as { readonly output: readonly BuiltPart[] }
  mkdirSync(join(folder, 'pages'), { recursive: true })
  for (const page of pages) {
    renameSync(join(folder, page, 'index.html'), join(folder, 'pages', `${page}.html`))
    rmSync(join(folder, page), { recursive: true })
  }
  return laterOf(root, built.output)
}

/** The fields of the bundler's report on a written file that are read here. */
interface BuiltPart {
  readonly fileName: string
  readonly isDynamicEntry?: boolean
  /** The source that the chunk was made for. */
  readonly facadeModuleId?: string | null
  /** Chunks that it cannot run without. */
  readonly imports?: readonly string[]
  /** What vite adds: the style sheets of the chunk's sources. */
  readonly viteMetadata?: { readonly importedCss: ReadonlySet<string> }
}

function laterOf(root: string, parts: readonly BuiltPart[]): WebBuild['later'] {
  const importsOf = new Map(
    parts.map(({ fileName, imports = [], viteMetadata }) => [
      fileName,
      [...imports, ...(viteMetadata?.importedCss ?? [])],
    ]),
  )
  return Object.fromEntries(
    parts.flatMap(({ fileName, isDynamicEntry, facadeModuleId }) => {
      if (!isDynamicEntry || !facadeModuleId) return []
      const needed = new Set([fileName])
      // A set also walks over what is added during the walk, so imports of imports are found too.
      for (const path of needed) for (const more of importsOf.get(path) ?? []) needed.add(more)
      return [[relative(join(root, 'web'), facadeModuleId).replaceAll('\\', '/'), [...needed]]]
    }),
  )
}

/** Builds the SDK as the one script that a host page loads, `embed/embed.js`. */
export async function bundleScript(root: string, folder: string): Promise<void> {
  const entry = join(root, 'web/sdk/embed.ts')
  await build(
    configOf(root, {
      outDir: join(folder, 'embed'),
      lib: { entry, formats: ['iife'], name: 'ChannelEmbed', fileName: () => 'embed.js' },
    }),
  )
}

/** Builds the SDK as a module for bundlers: `index.js` in `folder`. */
export async function bundleModule(root: string, folder: string): Promise<void> {
  const entry = join(root, 'web/sdk/src/index.ts')
  await build(
    configOf(root, { outDir: folder, minify: false, lib: { entry, formats: ['es'], fileName: () => 'index.js' } }),
  )
}

/** The version in the SDK's package.json. */
export function sdkVersionOf(root: string): string {
  const { version } = JSON.parse(readFileSync(join(root, 'web/sdk/package.json'), 'utf8')) as {
    readonly version: string
  }
  return version
}
