import { execFile } from 'node:child_process'
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { packageFileName } from '../../src/domain/web-build.ts'
import { bundleModule, sdkVersionOf } from './bundles.ts'
import { packPackage } from './tarball.ts'

const run = promisify(execFile)

/**
 * Makes what the package brings beside its `package.json`: the module and its types, in `dist` of a folder. Types that
 * do not compile fail.
 */
export async function makePackageFiles(root: string, folder: string): Promise<void> {
  const dist = join(folder, 'dist')
  // One after the other: what fails is not written into behind the back of whoever clears up.
  await bundleModule(root, dist)
  await makeTypes(root, dist)
}

/** Packs the SDK as npm would: `embed/{package}.tgz`. */
export async function makePackage(root: string, folder: string): Promise<void> {
  const packed = join(folder, '.package')
  await makePackageFiles(root, packed)
  for (const file of ['package.json', 'README.md']) cpSync(join(root, 'web/sdk', file), join(packed, file))
  mkdirSync(join(folder, 'embed'), { recursive: true })
  writeFileSync(join(folder, 'embed', packageFileName(sdkVersionOf(root))), packPackage(packed))
  rmSync(packed, { recursive: true })
}

async function makeTypes(root: string, dist: string): Promise<void> {
  const compiler = fileURLToPath(new URL('../bin/tsc', import.meta.resolve('typescript')))
  const wanted = [
    '--project',
    join(root, 'web/sdk/tsconfig.json'),
    '--noEmit',
    'false',
    '--declaration',
    '--emitDeclarationOnly',
    '--outDir',
    dist,
  ]
  await run(process.execPath, [compiler, ...wanted]).catch((error: Error & { readonly stdout?: string }) => {
    throw new Error(`the types of the SDK do not compile\n${error.stdout ?? ''}`, { cause: error })
  })
  // The names of the sources mean nothing where only declarations are.
  for (const path of globSync('**/*.d.ts', { cwd: dist })) {
    const declared = readFileSync(join(dist, path), 'utf8')
    writeFileSync(
      join(dist, path),
      declared.replaceAll(/(from '|from "|import\('|import\(")(\.{1,2}\/[^'"]+)\.ts(?=['"])/g, '$1$2.js'),
    )
  }
}
