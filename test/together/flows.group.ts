import '../commands/flows/create.test.ts'
import '../commands/flows/doubt.test.ts'
import '../commands/flows/name-hold.test.ts'
import '../commands/flows/told.test.ts'
