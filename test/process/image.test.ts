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
    .filter((path) => !path.includes('node_modules') && !/(?:^|\/)dist\//.test(path))
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
    t.true(wanted.length > 100, name)
    t.deepEqual(
      wanted.filter(({ path }) => !isIn(copied, path)),
      [],
      name,
    )
  }
})

test('the image takes the pages from the stage before that builds them, with nothing of what builds them', (t) => {
  const [pages, image, ...more] = stages()
  if (!pages || !image) throw new Error('there are two stages')
  t.deepEqual(more, [])
  t.deepEqual(image.fromStages, [{ stage: pages.name, path: `/app/${BUILDS}`, to: BUILDS }])
  const order = (stage: Stage, ...starts: string[]) =>
    starts.map((start) => stage.lines.findIndex((line) => line.startsWith(start)))
  const inOrder = (places: readonly number[]) =>
    places.every((place, index) => place >= 0 && place > (places[index - 1] ?? -1))
  t.true(
    inOrder(
      order(
        pages,
        'WORKDIR /app',
        'COPY package.json package-lock.json',
        'RUN npm ci',
        'COPY web web',
        'RUN node web/build.ts',
      ),
    ),
  )
  t.true(
    inOrder(
      order(
        image,
        'WORKDIR /app',
        'COPY package.json package-lock.json',
        'RUN npm ci --omit=dev',
        'COPY src src',
        'COPY --from=pages',
        'USER node',
        'CMD ["node", "--max-semi-space-size=64", "src/main.ts"]',
      ),
    ),
  )
  t.false(isIn(image.copied, 'web'))
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
