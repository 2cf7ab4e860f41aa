import { availableParallelism } from 'node:os'
import test from 'ava'
import { workerEnvironment } from '../../media-host/workers.ts'
import { workerCount } from '../../src/process/workers.ts'
import type { WorkerSettings } from '../../media-host/workers.ts'

const SETTINGS: WorkerSettings = {
  workers: 3,
  mediaPort: 3001,
  controlPort: 3011,
  publicUrl: 'wss://media-{worker}.example:{port}',
  advertiseControl: 'ws://10.0.0.1:{port}',
  rtpPorts: [40_000, 40_010],
  dataDir: '/data',
  drainMs: 600_000,
}

// [configuration.variables.35]
test('worker i has the ports i above, its name, its share of the ports of legs and a folder of its own', (t) => {
  t.like(workerEnvironment(SETTINGS, 0, 3, null), {
    MEDIA_PORT: '3001',
    MEDIA_CONTROL_PORT: '3011',
    MEDIA_WORKERS: '1',
    DATA_DIR: '/data',
    RTP_PORTS: '40000-40002',
  })
  t.like(workerEnvironment(SETTINGS, 2, 3, null), {
    MEDIA_PORT: '3003',
    MEDIA_CONTROL_PORT: '3013',
    MEDIA_PUBLIC_URL: 'wss://media-2.example:{port}',
    MEDIA_ADVERTISE_CONTROL: 'ws://10.0.0.1:{port}',
    RTP_PORTS: '40006-40008',
    DATA_DIR: '/data/worker-2',
  })
})

test('a worker that is started again keeps its ports, and any free ports stay any', (t) => {
  const free = { ...SETTINGS, mediaPort: 0, controlPort: 0, publicUrl: null, advertiseControl: null, rtpPorts: null }
  t.like(workerEnvironment(free, 2, 3, null), {
    MEDIA_PORT: '0',
    MEDIA_CONTROL_PORT: '0',
    MEDIA_PUBLIC_URL: '',
    RTP_PORTS: '',
  })
  t.like(workerEnvironment(free, 2, 3, { type: 'listening', mediaPort: 41_001, controlPort: 41_011 }), {
    MEDIA_PORT: '41001',
    MEDIA_CONTROL_PORT: '41011',
  })
})

test('too few ports for the legs are reported before anything starts', (t) => {
  t.throws(() => workerEnvironment({ ...SETTINGS, rtpPorts: [40_000, 40_001] }, 0, 3, null), {
    message: /^RTP_PORTS: has fewer ports than there are workers \(3\)/,
  })
})

// [configuration.variables.32]
test('auto is one worker per core', (t) => {
  t.is(workerCount('auto'), availableParallelism())
  t.is(workerCount(4), 4)
})
