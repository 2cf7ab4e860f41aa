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
 * Makes what the package ships beside its `package.json`, in `dist` of a folder: the module and its types. Throws when
 * the types do not compile.
 */
export async function makePackageFiles(root: string, folder: string): Promise<void> {
  const dist = join(folder, 'dist')
  // One after the other: when the first fails, the second must not write while the caller removes the folder.
  await bundleModule(root, dist)
  await makeTypes(root, dist)
}

/** Packs the SDK as npm would, into `embed/{package}.tgz`. */
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
  // The package ships declarations only, so links to their sources would lead nowhere.
  for (const path of globSync('**/*.d.ts', { cwd: dist })) {
    const declared = readFileSync(join(dist, path), 'utf8')
    writeFileSync(
      join(dist, path),
      declared.replaceAll(/(from '|from "|import\('|import\(")(\.{1,2}\/[^'"]+)\.ts(?=['"])/g, '$1$2.js'),
    )
  }
}
