/**
 * Installs the engine for QR-paired numbers when it is missing (it is a package of its own), and measures it with its
 * own benchmark (engines/baileys/bench) and together with a gateway.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

async function run(file: string): Promise<void> {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', fileURLToPath(new URL(file, import.meta.url)), ...process.argv.slice(2)],
    { stdio: 'inherit' },
  )
  const [code] = await once(child, 'exit')
  if (code !== 0) process.exit(code ?? 1)
}

await run('../engines/install.ts')
await run('../engines/baileys/bench/bench.ts')
await run('engine-gateway.ts')
