import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import test from 'ava'
import { BUILDS } from '../../src/domain/web-build.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** A stage of the Dockerfile: what it copies from the tree and from earlier stages, and what it runs. */
interface Stage {
  readonly name: string
  readonly copied: readonly string[]
  readonly fromStages: readonly { readonly stage: string; readonly path: string; readonly to: string }[]
  readonly lines: readonly string[]
}

function stages(): Stage[] {
  const [, ...parts] = readFileSync(join(ROOT, 'Dockerfile'), 'utf8').split(/^FROM /m)
  return parts.map((part, index) => {
    const [first = '', ...lines] = part.split('\n')
    const copies = lines.filter((line) => line.startsWith('COPY ')).map((line) => line.slice('COPY '.length).split(' '))
    return {
      name: / AS (\w+)$/.exec(first)?.[1] ?? String(index),
      lines,
      copied: copies.filter(([from = '']) => !from.startsWith('--')).flatMap((words) => words.slice(0, -1)),
      fromStages: copies
        .filter(([from = '']) => from.startsWith('--from='))
        .map(([from = '', path = '', to = '']) => ({ stage: from.slice('--from='.length), path, to })),
    }
  })
}

/** The relative paths that the sources below `copied` import or read, resolved from the root. */
function wantedBy(copied: readonly string[]): { readonly by: string; readonly path: string }[] {
  const files = copied
    .flatMap((path) =>
      statSync(join(ROOT, path)).isDirectory() ? globSync(`${path}/**/*.{ts,tsx}`, { cwd: ROOT }) : [],
    )
    .filter((path) => !path.includes('node_modules') && !/(?:^|\/)dist\/|^engines\/\w+\/(?:test|bench)\//.test(path))
  return files.flatMap((by) => {
    const text = readFileSync(join(ROOT, by), 'utf8')
    return [...text.matchAll(/(?:from |import\(|import )'(\.{1,2}\/[^']+)'/g)].map(([, path = '']) => ({
      by,
      path: join(dirname(by), path),
    }))
  })
}

const isIn = (copied: readonly string[], path: string): boolean =>
  copied.some((one) => path === one || path.startsWith(`${one}/`))

test('every stage of the image copies what is there, and all that its programs import', (t) => {
  const ignored = readFileSync(join(ROOT, '.dockerignore'), 'utf8').split('\n').filter(Boolean)
  for (const { name, copied } of stages()) {
    for (const path of copied) {
      t.true(existsSync(join(ROOT, path)), `${name}: ${path}`)
      t.false(isIn(ignored, path), `${name}: ${path} is kept out by .dockerignore`)
    }
    const wanted = wantedBy(copied)
    t.true(wanted.length > (name === 'packages' ? 0 : 100), name)
    t.deepEqual(
      wanted.filter(({ path }) => !isIn(copied, path)),
      [],
      name,
    )
  }
})

const isInOrder = ({ lines }: Stage, ...starts: readonly string[]): boolean =>
  starts
    .map((start) => lines.findIndex((line) => line.startsWith(start)))
    .every((place, index, places) => place > (places[index - 1] ?? -1))

test('the image takes pages and trimmed packages from the stages before, with nothing of what builds them', (t) => {
  const [pages, packages, image, ...more] = stages()
  if (!pages || !packages || !image) throw new Error('there are three stages')
  t.deepEqual(more, [])
  t.deepEqual(image.fromStages, [
    { stage: packages.name, path: '/app/node_modules', to: 'node_modules' },
    { stage: packages.name, path: '/app/engines/baileys/node_modules', to: 'engines/baileys/node_modules' },
    { stage: pages.name, path: `/app/${BUILDS}`, to: BUILDS },
  ])
  t.true(
    isInOrder(
      pages,
      'WORKDIR /app',
      'COPY package.json package-lock.json',
      'RUN npm ci',
      'COPY web web',
      'RUN node web/build.ts',
    ),
  )
  t.true(isInOrder(packages, 'WORKDIR /app', 'COPY package.json package-lock.json', 'RUN npm ci --omit=dev'))
  const installed = packages.lines.join(' ')
  for (const command of ['npm ci --omit=dev --prefix engines/baileys', 'trim.ts &&', 'trim.ts engines/baileys'])
    t.true(installed.includes(command), command)
  t.true(isInOrder(image, 'WORKDIR /app', 'COPY --from=packages', 'COPY src src', 'COPY --from=pages', 'USER ', 'CMD '))
  t.false(isIn(image.copied, 'web'))
})

test('[operation.packages.2] one image has every program, as a user who is not root, with their licences', (t) => {
  const image = stages().at(-1)
  if (!image) throw new Error('there is a stage')
  for (const program of [
    'src/main.ts',
    'media-host/main.ts',
    'engines/baileys/main.ts',
    'sandbox/main.ts',
    'src/backup.ts',
  ])
    t.true(existsSync(join(ROOT, program)) && isIn(image.copied, program), program)
  for (const licence of ['LICENSE', 'THIRD_PARTY.md', 'engines/media/LICENSE', 'engines/baileys/README.md'])
    t.true(existsSync(join(ROOT, licence)) && isIn(image.copied, licence), licence)
  const users = image.lines.filter((line) => line.startsWith('USER '))
  t.deepEqual(users, ['USER 1000:1000'])
  t.false(image.lines.slice(image.lines.indexOf('USER 1000:1000')).some((line) => /^(?:RUN|COPY)/.test(line)))
})

test('npm start and the image give a gateway the same room for young objects', (t) => {
  const {
    scripts: { start },
  } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { readonly scripts: { readonly start: string } }
  const command = 'node --max-semi-space-size=64 src/main.ts'
  t.is(start, `exec ${command} || ${command}`)
  t.true(
    readFileSync(join(ROOT, 'Dockerfile'), 'utf8').includes(
      `CMD ${JSON.stringify(command.split(' ')).replaceAll(',', ', ')}`,
    ),
  )
})
