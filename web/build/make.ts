import { rmSync } from 'node:fs'
import { keepBuild, temporaryBuild } from './builds.ts'
import { bundlePages, bundleScript, sdkVersionOf } from './bundles.ts'
import { listBuild } from './list.ts'
import { makePackage } from './package.ts'

/**
 * Builds all pages and both forms of the SDK into a folder of builds, under a name. Nothing of it is visible before it
 * is complete.
 */
export async function makeBuild(root: string, builds: string, name: string): Promise<void> {
  const folder = temporaryBuild(builds)
  try {
    const [later] = await allEnded([bundlePages(root, folder), bundleScript(root, folder), makePackage(root, folder)])
    await listBuild(folder, { sdkVersion: sdkVersionOf(root), later })
    keepBuild(builds, folder, name)
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}

/** Waits for all parts even when one fails, so that none of them writes into a folder that was removed. */
async function allEnded<Parts extends readonly Promise<unknown>[]>(
  parts: readonly [...Parts],
): Promise<{ readonly [At in keyof Parts]: Awaited<Parts[At]> }> {
  await Promise.allSettled(parts)
  return await Promise.all(parts)
}
