import '../web/sdk-causes.test.ts'
import '../web/sdk-framing.test.ts'
import '../web/sdk-messages.test.ts'
import '../web/sdk-mount.test.ts'
