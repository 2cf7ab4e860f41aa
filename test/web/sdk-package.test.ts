import { execFile } from 'node:child_process'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import test from 'ava'
import { packageFileName } from '../../src/domain/web-build.ts'
import { builtPages } from '../helpers/pages.ts'
import { temporaryDirectory } from '../helpers/temporary-directory.ts'

const run = promisify(execFile)
const TSC = fileURLToPath(new URL('../bin/tsc', import.meta.resolve('typescript')))

/** A module of a host page. It uses every call with every option, and contains mistakes that the types must find. */
const USE = `
import { Channel, ChannelError } from '@channel-messaging/embed'
import type { ChatHandle, ConnectHandle, ConnectOptions } from '@channel-messaging/embed'

Channel.init({ baseUrl: 'https://api.example', locale: 'pt', theme: { mode: 'dark', primary: '#0a7f5a', radius: 8, density: 'compact' }, debug: true })
const options: ConnectOptions = { token: 'rp_x', mode: 'button', onPaired: ({ numberId, redirectUrl }) => console.log(numberId, redirectUrl?.length), onError: (error) => console.log(error.code, error.hint), onClose() {} }
const connect: ConnectHandle = Channel.connect.mount('#connect', options)
Channel.connect.mount({ target: document.body, ...options }).setTheme('auto')
Channel.connect.open(options).close()
const chat: ChatHandle = Channel.chat.mount({ target: '#chat', fetchToken: async () => 'emb_x', height: 'fill', title: 'Inbox', onUnreadCount: (count) => console.log(count.toFixed()), onSessionExpired: ({ reason }) => console.log(reason) })
chat.openConversation('conv_x')
chat.iframe.remove()
connect.destroy()
console.log(new Error() instanceof ChannelError)
// @ts-expect-error a link needs its token
Channel.connect.open({ mode: 'page' })
// @ts-expect-error there is no such mode
Channel.connect.open({ token: 'rp_x', mode: 'popup' })
// @ts-expect-error the dialog alone closes
chat.close()
`

/** The types that the Vue example uses, because Vue is not among the packages. */
const VUE_TYPES = `
export function ref<T>(): { value: T }
export function onMounted(call: () => void): void
export function onBeforeUnmount(call: () => void): void
declare global {
  function defineProps<const N extends string>(names: readonly N[]): Readonly<Record<N, any>>
  function defineEmits<const N extends string>(names: readonly N[]): (name: N, ...values: readonly unknown[]) => void
}
`
/** Types that stand in for React's, because React is not among the packages. */
const AS_REACT = { react: 'compat/src/index.d.ts', 'react/jsx-runtime': 'jsx-runtime/src/index.d.ts' }

// [sdk.files.6] [sdk.calls.1] [sdk.calls.2] [sdk.calls.3] [sdk.calls.4] [sdk.errors.1]
test('the package brings a README (case 27); unpacked into an empty project it compiles there, without the types of anything else, as the examples of README and documents do, and is loaded where there is no page', async (t) => {
  const { files, sdkVersion } = await builtPages()
  const { path: folder, remove } = await temporaryDirectory()
  t.teardown(remove)
  const home = join(folder, 'node_modules/@channel-messaging')
  await mkdir(home, { recursive: true })
  const archive = join(folder, packageFileName(sdkVersion))
  await writeFile(archive, files.get(`embed/${packageFileName(sdkVersion)}`)?.bytes ?? '')
  await run('tar', ['-xzf', archive, '-C', home])
  await run('mv', [join(home, 'package'), join(home, 'embed')])
  await writeFile(join(folder, 'use.ts'), USE)
  const [, ofReadme = 'the README shows no use'] =
    /```ts\n([^]*?)```/.exec(await readFile(join(home, 'embed/README.md'), 'utf8')) ?? []
  await writeFile(join(folder, 'readme.ts'), ofReadme)
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')

  for (const module of [
    ['--module', 'nodenext'],
    ['--module', 'esnext', '--moduleResolution', 'bundler'],
  ]) {
    const { stdout } = await run(
      process.execPath,
      [
        TSC,
        '--noEmit',
        '--strict',
        '--target',
        'es2022',
        '--lib',
        'es2022,dom',
        '--types',
        '',
        ...module,
        'use.ts',
        'readme.ts',
      ],
      { cwd: folder },
    ).catch((error) => error)
    t.is(stdout, '', module.join(' '))
  }
  t.is(await examplesCompile(folder), '')

  const { stdout } = await run(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      `import * as sdk from '@channel-messaging/embed'; console.log(Object.keys(sdk).join(), sdk.Channel.version)`,
    ],
    { cwd: folder },
  )
  t.is(stdout.trim(), `Channel,ChannelError ${sdkVersion}`)
  const facts = JSON.parse(await readFile(join(home, 'embed/package.json'), 'utf8')) as { dependencies?: object }
  t.is(facts.dependencies, undefined)
  t.deepEqual((await readdir(join(home, 'embed'))).toSorted(), ['README.md', 'dist', 'package.json'])
})

/**
 * Compiles the examples of the documents against the package. Resolves to the compiler's output, which is empty when
 * they are right.
 */
async function examplesCompile(folder: string): Promise<string> {
  const docs = await readFile(new URL('../../docs/embed.md', import.meta.url), 'utf8')
  const exampleOf = (pattern: RegExp): string => pattern.exec(docs)?.[1] ?? 'the document has no such example'
  await writeFile(join(folder, 'react.jsx'), exampleOf(/```jsx\n([^]*?)```/))
  await writeFile(join(folder, 'vue.js'), exampleOf(/```vue\n<script setup>\n([^]*?)<\/script>/))
  await writeFile(join(folder, 'vue-types.d.ts'), VUE_TYPES)
  const preact = fileURLToPath(new URL('..', import.meta.resolve('preact')))
  const paths = {
    ...Object.fromEntries(Object.entries(AS_REACT).map(([name, file]) => [name, [join(preact, file)]])),
    vue: [join(folder, 'vue-types.d.ts')],
  }
  const compilerOptions = {
    noEmit: true,
    allowJs: true,
    checkJs: true,
    strict: false,
    skipLibCheck: true,
    target: 'es2022',
    lib: ['es2022', 'dom'],
    types: [],
    module: 'esnext',
    moduleResolution: 'bundler',
    jsx: 'react-jsx',
    jsxImportSource: 'react',
    paths,
  }
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: ['react.jsx', 'vue.js', 'vue-types.d.ts'] }),
  )
  const { stdout } = await run(process.execPath, [TSC, '--project', folder], { cwd: folder }).catch((error) => error)
  return stdout
}
