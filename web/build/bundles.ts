import { mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'vite'
import type { BuildOptions, InlineConfig } from 'vite'

/** The pages: each a folder of `web` with an `index.html`. */
const PAGES = ['connect', 'chat', 'people']

/** What pages and SDK share: nothing that a policy without 'unsafe-inline' refuses, and no word where all is well. */
function configOf(root: string, options: BuildOptions): InlineConfig {
  return {
    configFile: false, envFile: false, root: join(root, 'web'), base: '/', publicDir: false, logLevel: 'error', clearScreen: false,
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact', development: false } },
    resolve: { alias: { react: 'preact/compat', 'react-dom': 'preact/compat' } },
    build: {
      assetsInlineLimit: 0, modulePreload: { polyfill: false }, emptyOutDir: false, reportCompressedSize: false, ...options,
      // What is built names its sources: the same from wherever it is built, as npm packs from the folder of the SDK.
      rolldownOptions: { cwd: root, ...options.rolldownOptions },
    },
  }
}

/** Builds every page: its document to `pages/{name}.html`, all that it loads to `assets/`. */
export async function bundlePages(root: string, folder: string): Promise<void> {
  const input = Object.fromEntries(PAGES.map((page) => [page, join(root, 'web', page, 'index.html')]))
  await build(configOf(root, { outDir: folder, rolldownOptions: { input } }))
  mkdirSync(join(folder, 'pages'), { recursive: true })
  for (const page of PAGES) {
    renameSync(join(folder, page, 'index.html'), join(folder, 'pages', `${page}.html`))
    rmSync(join(folder, page), { recursive: true })
  }
}

/** Builds the SDK as the one script that a host page loads: `embed/embed.js`. */
export async function bundleScript(root: string, folder: string): Promise<void> {
  const entry = join(root, 'web/sdk/embed.ts')
  await build(configOf(root, { outDir: join(folder, 'embed'), lib: { entry, formats: ['iife'], name: 'ChannelEmbed', fileName: () => 'embed.js' } }))
}

/** Builds the SDK as a module for bundlers: `index.js` in a folder. */
export async function bundleModule(root: string, folder: string): Promise<void> {
  const entry = join(root, 'web/sdk/src/index.ts')
  await build(configOf(root, { outDir: folder, minify: false, lib: { entry, formats: ['es'], fileName: () => 'index.js' } }))
}

/** The SDK's version. */
export function sdkVersionOf(root: string): string {
  const { version } = JSON.parse(readFileSync(join(root, 'web/sdk/package.json'), 'utf8')) as { readonly version: string }
  return version
}
