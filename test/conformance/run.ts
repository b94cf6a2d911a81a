// node test/conformance/run.ts [KIND…]
import { conformance } from './suite.ts';

const { failed, problems } = await conformance({
  kinds: process.argv.slice(2),
  folder: process.env['CONFORMANCE_DIR'],
  print: (line) => console.log(line),
});
process.exitCode = failed > 0 || problems.length > 0 ? 1 : 0;
