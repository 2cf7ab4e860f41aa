import type { FlowEndpointCommands } from '../commands/flow-endpoints/flow-endpoints.ts'
import { KEY_ROTATED } from '../http/request/caller-cache.ts'
import type { Broadcast } from '../ports/broadcast.ts'
import type { KeyStore } from '../ports/stores/key-store.ts'
import type { TenantStore } from '../ports/stores/tenant-store.ts'
import { listenForMetrics } from '../process/metrics-listener.ts'
import { listenForAdmin } from './admin-socket.ts'
import { binding } from '../process/start-fault.ts'
import type { Core } from './core.ts'
import { backupCommands, type BackupDeskDeps } from './backup-desk.ts'
import { flowDesk, flowDeskCommands } from './flow-desk.ts'
import { loginCommands, loginDesk, type LoginDeskDeps } from './login-desk.ts'
import { resealCommands, type ResealDeskDeps } from './reseal-desk.ts'
import { setAsideCommands, setAsideDesk, type SetAsideDeskDeps } from './set-aside-desk.ts'
import { tenantDesk } from './tenant-desk.ts'

interface SideDoorNeeds extends SetAsideDeskDeps, Omit<LoginDeskDeps, 'isDashboardOn'>, ResealDeskDeps {
  readonly flowEndpointCommands: FlowEndpointCommands
  readonly tenants: TenantStore
  readonly keys: KeyStore
  readonly broadcast: Broadcast
  readonly database: BackupDeskDeps['database']
}

/** Opens the ports of operators: metrics on their own port, and the socket for commands. */
export async function openSideDoors({ config, clock, metrics, closing }: Core, needs: SideDoorNeeds): Promise<void> {
  if (config.metricsPort !== null) {
    const { metricsPort: port, host } = config
    const exporter = await binding('METRICS_PORT', host, port, () => listenForMetrics(host, port, () => metrics.text()))
    closing.add('metrics', () => exporter.close())
  }
  const { tenants, keys, broadcast } = needs
  const desk = tenantDesk({ tenants, keys, revokeCallers: (tenantId) => broadcast.publish(KEY_ROTATED, tenantId) })
  const further = {
    ...flowDeskCommands(flowDesk(needs.flowEndpointCommands)),
    ...loginCommands(loginDesk({ ...needs, isDashboardOn: config.isDashboardOn })),
    ...setAsideCommands(setAsideDesk(needs)),
    ...resealCommands(needs),
    ...backupCommands({ ...needs, clock, dataDir: config.dataDir, files: config.files }),
  }
  const admin = await listenForAdmin(config.dataDir, desk, further)
  closing.add('admin socket', () => admin.close())
}
