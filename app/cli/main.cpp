#include "app/cli/program.h"
#include "core/catalogue/standard.h"

int main(int argc, char** argv) {
  return convscope::cli::run_program(argc, argv, convscope::catalogue::standard());
}
