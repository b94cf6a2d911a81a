import { MessageStoreError } from '../../errors.ts';

/**
 * A package that need not be installed, loaded when it is needed.
 *
 * @throws MessageStoreError `missing_package`
 */
export async function loadPackage<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    throw new MessageStoreError(
      'missing_package',
      `this database is opened by the package ${name}: npm install ${name}`,
      {
        cause: error,
      },
    );
  }
}
