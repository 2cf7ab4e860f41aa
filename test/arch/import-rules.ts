/** Rows of the import table that stand by themselves. */

/** What files of an area may import: prefixes of project paths, and packages. `*` lifts a limit. */
export interface Rule {
  readonly area: string
  readonly project: readonly string[]
  readonly packages: readonly string[]
}

/** Each example is complete without any other file, but for the scripted models that it starts where no real one is. */
export const OF_EXAMPLES: readonly Rule[] = [
  { area: 'examples/scripted/', project: ['examples/scripted/'], packages: ['ws', 'node:*'] },
  {
    area: 'examples/openai/',
    project: ['examples/scripted/'],
    packages: ['@openai/agents', '@openai/agents-extensions', 'ws', 'zod', 'node:*'],
  },
  { area: 'examples/pipeline/', project: ['examples/pipeline/', 'examples/scripted/'], packages: ['ws', 'node:*'] },
  { area: 'examples/ivr/', project: ['examples/ivr/', 'examples/scripted/'], packages: ['ws', 'node:*'] },
  { area: 'examples/browser/', project: [], packages: ['node:*'] },
  {
    area: 'examples/langchain/',
    project: ['examples/scripted/'],
    packages: ['@langchain/mcp-adapters', '@langchain/openai', 'langchain', 'zod', 'node:*'],
  },
  {
    area: 'examples/livekit/',
    project: ['examples/livekit/', 'examples/scripted/'],
    packages: ['@livekit/agents', '@livekit/agents-plugin-openai', '@livekit/rtc-node', 'ws', 'zod', 'node:*'],
  },
  { area: 'examples/nextjs/', project: ['examples/nextjs/'], packages: ['next', 'react'] },
  {
    area: 'examples/',
    project: ['examples/', 'tools/install/', 'tools/demo/', 'src/domain/', 'src/process/'],
    packages: ['playwright-core', 'node:*'],
  },
]
