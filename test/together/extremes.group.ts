import '../commands/leads/extremes.test.ts'
import '../commands/official/extremes.test.ts'
import '../actors/official-stores.test.ts'
