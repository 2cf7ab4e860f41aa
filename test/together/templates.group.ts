import '../commands/templates/change.test.ts'
import '../commands/templates/create.test.ts'
import '../commands/templates/flows.test.ts'
import '../commands/templates/review.test.ts'
