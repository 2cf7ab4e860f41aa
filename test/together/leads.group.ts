import '../commands/leads/auto-sends.test.ts'
import '../commands/leads/work.test.ts'
import '../commands/leads/imports.test.ts'
