#pragma once
// The syntax tree that a path becomes before it becomes text. Trees are immutable; whoever changes one makes a new one
// that shares what stayed the same. Source: the thesis named in problem.h, section 4.7; broadcast, FMA of a lane and of
// memory, shuffle, mask, call, pointers, copies and streaming stores are ours.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/cpu/architecture/layout.h"
#include "core/cpu/syntax/affine.h"

namespace convscope::cpu {

/// Of a variable: a float, a vector of floats, a pointer to floats, or an integer.
struct Type {
  enum class Base { floating, pointer, integer } base = Base::floating;
  int lanes = 1;
  bool operator==(const Type&) const = default;
};

/// An element of a tensor, first of those that a vector takes. Until pointers are made, `index` says where it is, one
/// form per dimension; afterwards `offset` does, in elements from the pointer `base`.
struct Access {
  struct Index {
    char dimension = 0;
    Affine form;
    bool operator==(const Index&) const = default;
  };
  std::string tensor;
  std::vector<Index> index;
  std::string base;  ///< empty: the tensor itself
  std::optional<Affine> offset;

  bool operator==(const Access&) const = default;
  const Affine& at(char dimension) const;  ///< precondition: it is there
};

/// form >= 0, or with `over` form < limit. Of image rows (H) or columns (W).
struct Condition {
  Affine form;
  bool over = false;
  std::int64_t limit = 0;
  char dimension = 'H';
  bool operator==(const Condition&) const = default;
};

enum class Kind {
  // structure
  block,        ///< children in order, whose variables end with it
  microkernel,  ///< the hottest loops; becomes a function
  function,     ///< name, operands are its integer parameters, accesses of its pointers stand in `accesses`
  call,         ///< of a function
  loop,         ///< name counts from begin to end, clipped by conditions
  unroll,       ///< as loop, but to be written out: "$name" in variables' names becomes the number
  condition,    ///< children only if it holds
  // statements
  definition,      ///< name of type = 0
  load,            ///< name of type = elements from the access on; `count` > 1: as often side by side
  broadcast,       ///< name of type = the element in each lane
  store,           ///< access = operand; `accumulate`: +=
  stream_store,    ///< the same past the caches
  mask,            ///< its child, a store, of `count` lanes from `first` on
  fma,             ///< name += operand 0 * operand 1; a scalar operand counts for each lane
  fma_lane,        ///< name += operand 0 * lane `first` of operand 1
  fma_memory,      ///< name += operand 0 * the element
  horizontal_add,  ///< name (float) = sum over all lanes of all operands
  shuffle,         ///< name of type = chosen lanes of operands 0 and 1 side by side
  combine,         ///< name of type = sum of `factors` * operands, one or two, rounded once where one factor is 1 or -1
  prefetch,        ///< the access `count` bytes on
  pointer,         ///< name = address of the access; of the second one where a condition doesn't hold
  step,            ///< name += count elements, and the compiler may not know where it points now
  clear,           ///< all of a tensor = 0
  tile_copy,       ///< a buffer = the part of the image that it pads
  fence,           ///< streaming stores are done
  // lowered
  declaration,  ///< name of type
  assignment,   ///< name = children
  concat,       ///< children's text
  type,
  variable,
  literal,
  function_name,
  brackets,
  comma_list,
  semicolon,  ///< ends a line
};

struct Node;
using NodePtr = std::shared_ptr<const Node>;
using Nodes = std::vector<NodePtr>;

struct Node {
  Kind kind = Kind::block;
  std::string name;  ///< of the variable that is written or counts, of the function, of the tensor; text of a literal
  Type type;
  std::vector<std::string> operands;  ///< variables that are read
  std::vector<Access> accesses;       ///< one for what touches memory; those of a call's pointers
  std::vector<Condition> conditions;  ///< of a condition node one; clips of a loop; of a pointer, all must hold
  std::int64_t begin = 0, end = 0;    ///< of loops
  std::int64_t count = 0;
  int first = 0;
  int unrolled = 1;             ///< iterations that a loop is to be unrolled by
  int threads = 1;              ///< that a loop is divided over
  bool accumulate = false;      ///< of stores
  bool assigns = false;         ///< of a broadcast or load: its variable is there already
  std::vector<int> lanes;       ///< of a shuffle
  std::vector<double> factors;  ///< of a combination
  Nodes children;
  int id = -1;  ///< of the last tree before lowering, in order of depth first; lowered nodes keep their origin's

  const Access& access() const { return accesses.front(); }
};

/// A tensor that programs access: of the problem, or a buffer.
struct Tensor {
  std::string name;
  Layout layout;
  Extents extents;
  bool buffer = false;  ///< static memory of the program
  int threads = 1;      ///< that each have a buffer of their own
};

/// A tree with the table of what it names.
struct SyntaxTree {
  std::vector<Tensor> tensors;
  NodePtr root;
  /// Rows and columns of padding before the image in a padded buffer.
  const Tensor& tensor(std::string_view name) const;  ///< precondition: it is there
};

/// Types of all variables that the tree defines.
std::map<std::string, Type> symbols(const Node& root);
/// Elements from the tensor's begin. Precondition: along a blocked dimension, coefficients are multiples of the block
/// or stay within one.
Affine address(const Tensor& tensor, const Access& access);

std::string_view key(Kind kind);
/// One line: what a view writes beside a node, "fma acc_0_1 += k_1 * a_0".
std::string label(const Node& node);

}  // namespace convscope::cpu
