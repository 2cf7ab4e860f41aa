import { loadOrCreateSecrets, type Secrets } from '../storage/engine/secrets.ts'
import { inOneLine } from '../process/start-fault.ts'
import type { Core } from './core.ts'

/** The secrets of the environment. Those that it does not give are kept in the data directory. */
export async function openSecrets({ config }: Core): Promise<Secrets> {
  const { encryptionKey, internalSecret, dataDir } = config
  if (encryptionKey !== null && internalSecret !== null) return { encryptionKey, internalSecret }
  const made = await loadOrCreateSecrets(dataDir).catch(inOneLine('DATA_DIR'))
  return { encryptionKey: encryptionKey ?? made.encryptionKey, internalSecret: internalSecret ?? made.internalSecret }
}
