import { rmSync } from 'node:fs'
import { keepBuild, temporaryBuild } from './builds.ts'
import { bundlePages, bundleScript, sdkVersionOf } from './bundles.ts'
import { listBuild } from './list.ts'
import { makePackage } from './package.ts'

/** Builds all pages and both forms of the SDK into a folder of builds, under a name. Nothing of it shows before it is whole. */
export async function makeBuild(root: string, builds: string, name: string): Promise<void> {
  const folder = temporaryBuild(builds)
  try {
    await allEnded([bundlePages(root, folder), bundleScript(root, folder), makePackage(root, folder)])
    await listBuild(folder, sdkVersionOf(root))
    keepBuild(builds, folder, name)
  } catch (error) {
    rmSync(folder, { recursive: true, force: true })
    throw error
  }
}

/** Waits for all, also where one fails: none of them writes into a folder that was removed. */
async function allEnded(parts: readonly Promise<void>[]): Promise<void> {
  const ended = await Promise.allSettled(parts)
  const failed = ended.find(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected') throw failed.reason
}
