/**
 * Runs one step of start-up (specification 4.6). A step that fails is logged, and the app goes on without what it gives:
 * `without` stands in.
 */
export async function step<Value>(run: () => Value | Promise<Value>, without: Value): Promise<Value> {
  try {
    return await run();
  } catch (error) {
    console.error(error);
    return without;
  }
}
