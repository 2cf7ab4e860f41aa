import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv } from 'ajv'
import test from 'ava'
import { StatefulSet } from 'kubernetes-models/apps/v1'
import { HorizontalPodAutoscaler } from 'kubernetes-models/autoscaling/v2'
import { Ingress, NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1'
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1'
import { Service } from 'kubernetes-models/v1'
import { parseAllDocuments } from 'yaml'
import { VARIABLES } from '../../src/config/variables.ts'
import { readChart, renderChart, renderFile, type Rendered, type Values, valuesWith } from './chart.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const ENGINE_CONFIG = readFileSync(join(ROOT, 'engines/baileys/process/config.ts'), 'utf8')

/** Everything that can be asked for. */
const ALL: Values = {
  image: { pullSecrets: ['one', 'two'] },
  gateway: { env: { LOG_LEVEL: 'debug' }, nodeSelector: { disk: 'fast' }, storageClass: 'fast', drainSeconds: 45 },
  mediaHost: { tolerations: [{ key: 'voice', operator: 'Exists' }], env: { MEDIA_WORKERS: 2 } },
  engine: { enabled: true },
  ingress: { enabled: true, className: 'nginx', tlsSecret: 'tls', annotations: { 'example.com/a': 'b' } },
  autoscaling: { enabled: true },
  serviceMonitor: { enabled: true, labels: { release: 'prometheus' } },
  networkPolicy: { enabled: true, metricsNamespace: 'monitoring' },
}

/** What Kubernetes says of each kind that it has itself. */
const MODELS: Readonly<Record<string, (object: any) => { validate(): void }>> = {
  StatefulSet: (object) => new StatefulSet(object),
  Service: (object) => new Service(object),
  Ingress: (object) => new Ingress(object),
  NetworkPolicy: (object) => new NetworkPolicy(object),
  HorizontalPodAutoscaler: (object) => new HorizontalPodAutoscaler(object),
  PodDisruptionBudget: (object) => new PodDisruptionBudget(object),
}

/** All that is made: of the values as they are, of everything, and of as little as can be. */
async function renderings(): Promise<Rendered[][]> {
  const least = { podDisruptionBudget: { enabled: false }, mediaHost: { hostNetwork: false } }
  return [await renderChart(valuesWith()), await renderChart(valuesWith(ALL)), await renderChart(valuesWith(least))]
}

const ofKind = (objects: readonly Rendered[], kind: string): Rendered[] => objects.filter((one) => one.kind === kind)

test.serial(
  '[operation.packages.1] what the chart makes of its values is what Kubernetes takes, each with a name of its own',
  async (t) => {
    const made = await renderings()
    t.deepEqual(
      made.map((objects) => objects.length),
      [7, 15, 5],
    )
    for (const objects of made) {
      const names = objects.map(({ kind, metadata }) => `${kind}/${metadata.name}`)
      t.is(new Set(names).size, names.length, String(names))
      for (const object of objects)
        if (object.kind !== 'ServiceMonitor') t.notThrows(() => MODELS[object.kind]?.(object).validate(), object.kind)
      t.true(objects.every(({ kind }) => kind === 'ServiceMonitor' || kind in MODELS))
    }
    const [, all = []] = made
    t.throws(() => new StatefulSet({ ...ofKind(all, 'StatefulSet')[0], spec: { replicas: 'two' } } as never).validate())
  },
)

test.serial('pods run as the user of the image, on a read-only root file system, without privileges', async (t) => {
  const user = Number(/^USER (\d+):/m.exec(readFileSync(join(ROOT, 'Dockerfile'), 'utf8'))?.[1])
  const sets = ofKind(await renderChart(valuesWith(ALL)), 'StatefulSet')
  t.is(sets.length, 3)
  for (const { spec } of sets) {
    const pod = spec.template.spec
    t.like(pod.securityContext, { runAsNonRoot: true, runAsUser: user, fsGroup: user })
    t.false(pod.automountServiceAccountToken)
    t.is(pod.containers.length, 1)
    const [{ securityContext, volumeMounts }] = pod.containers
    t.deepEqual(securityContext, {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    const volumes = [...pod.volumes, ...(spec.volumeClaimTemplates ?? []).map((claim: Rendered) => claim.metadata)]
    t.deepEqual(
      volumeMounts.map(({ name, mountPath }: { name: string; mountPath: string }) => [name, mountPath]),
      [
        ['data', '/data'],
        ['tmp', '/tmp'],
      ],
    )
    t.deepEqual(volumes.map(({ name }: { name: string }) => name).toSorted(), ['data', 'tmp'])
  }
})

test.serial(
  'a pod starts a program that is there, with variables that it reads, and more time to end than it waits',
  async (t) => {
    const values = valuesWith(ALL)
    for (const { spec, metadata } of ofKind(await renderChart(values), 'StatefulSet')) {
      const pod = spec.template.spec
      const [{ command, env }] = pod.containers
      t.true(existsSync(join(ROOT, command.at(-1))), metadata.name)
      const names = env.map(({ name }: { name: string }) => name)
      t.is(new Set(names).size, names.length)
      const unknown = names
        .filter((name: string) => !['POD_NAME', 'POD_IP', 'HOST_IP'].includes(name))
        .filter((name: string) => !(name in VARIABLES.shape) && !ENGINE_CONFIG.includes(`'${name}'`))
      t.deepEqual(unknown, [], metadata.name)
      const drain = Number(env.find(({ name }: { name: string }) => name === 'DRAIN_SECONDS').value)
      t.true(pod.terminationGracePeriodSeconds >= drain + 10, metadata.name)
    }
    t.is(values.gateway.drainSeconds, 45)
  },
)

test.serial(
  'services, budgets, scaling and the ingress name pods and ports that are there; gateways are asked for their health',
  async (t) => {
    const all = await renderChart(valuesWith(ALL))
    const sets = ofKind(all, 'StatefulSet')
    const podsOf = (selector: Values) =>
      sets.filter(({ spec }) =>
        Object.entries(selector).every(([name, value]) => spec.template.metadata.labels[name] === value),
      )
    for (const { spec } of ofKind(all, 'Service')) {
      const [set, ...more] = podsOf(spec.selector)
      t.deepEqual(more, [])
      const ports = set?.spec.template.spec.containers[0].ports.map(({ name }: { name: string }) => name)
      for (const { targetPort } of spec.ports) t.true(ports.includes(targetPort), targetPort)
    }
    for (const { spec } of sets) {
      t.true(ofKind(all, 'Service').some(({ metadata }) => metadata.name === spec.serviceName))
      t.deepEqual(podsOf(spec.selector.matchLabels).length, 1)
    }
    for (const { spec } of ofKind(all, 'PodDisruptionBudget')) t.is(podsOf(spec.selector.matchLabels).length, 1)
    for (const { spec } of ofKind(all, 'NetworkPolicy')) t.is(podsOf(spec.podSelector.matchLabels).length, 1)
    const [scaling] = ofKind(all, 'HorizontalPodAutoscaler')
    const [ingress] = ofKind(all, 'Ingress')
    const gateway = sets.find(({ metadata }) => metadata.name === 'cms-gateway')
    if (!gateway || !ingress) throw new Error('both are made')
    t.is(scaling?.spec.scaleTargetRef.name, gateway.metadata.name)
    t.is(gateway.spec.replicas, undefined)
    const { name, port } = ingress.spec.rules[0].http.paths[0].backend.service
    const service = ofKind(all, 'Service').find(({ metadata }) => metadata.name === name)
    t.true(service?.spec.ports.some((one: { name: string }) => one.name === port.name))
    const [container] = gateway.spec.template.spec.containers
    t.is(container.livenessProbe.httpGet.path, '/health/live')
    t.is(container.readinessProbe.httpGet.path, '/health/ready')
    const notes = await renderFile('templates/NOTES.txt', valuesWith())
    t.regex(notes, /statefulset\/cms-gateway\n/)
  },
)

test('the schema of the values takes those of the chart, and refuses what is misspelt or of another kind', (t) => {
  const validate = new Ajv({ allowUnionTypes: true }).compile(JSON.parse(readChart('values.schema.json')) as object)
  t.true(validate(valuesWith()), JSON.stringify(validate.errors))
  t.true(validate(valuesWith(ALL)), JSON.stringify(validate.errors))
  for (const wrong of [
    { gatewy: {} },
    { gateway: { replica: 3 } },
    { gateway: { replicas: '3' } },
    { gateway: { env: { 'log-level': 'debug' } } },
    { gateway: { filesUrl: 'https://bucket' } },
    { mediaHost: { publicUrl: 'https://media' } },
    { podDisruptionBudget: { components: ['gateways'] } },
    { secret: '' },
  ])
    t.false(validate(valuesWith(wrong)), JSON.stringify(wrong))
})

/** Only where helm is. */
const whereHelmIs = spawnSync('helm', ['version']).status === 0 ? test.serial : test.serial.skip

whereHelmIs('helm lints the chart, and makes the same objects of it', async (t) => {
  const chart = join(ROOT, 'deploy/helm')
  const helm = (...words: string[]) => spawnSync('helm', words, { encoding: 'utf8' })
  t.is(helm('lint', '--strict', chart).status, 0)
  const { status, stdout, stderr } = helm('template', 'cms', chart, '--namespace', 'channel')
  t.is(status, 0, stderr)
  const objects = parseAllDocuments(stdout).map((document) => document.toJS() as Rendered)
  const sorted = (made: readonly Rendered[]) =>
    made.toSorted((a, b) => (`${a.kind}/${a.metadata.name}` < `${b.kind}/${b.metadata.name}` ? -1 : 1))
  t.deepEqual(sorted(objects), sorted(await renderChart(valuesWith())))
})
